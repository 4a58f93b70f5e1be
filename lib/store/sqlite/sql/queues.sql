-- name: ensure
insert into queues (name, created_at) values (?, ?) on conflict (name) do nothing

-- name: list
select name, paused, concurrency, rate_count, rate_ms, max_pending, created_at from queues order by name
