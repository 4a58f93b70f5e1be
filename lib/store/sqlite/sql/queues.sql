-- name: ensure
insert into queues (name, created_at) values (?, ?) on conflict (name) do nothing

-- name: max_pending
select max_pending from queues where name = ?

-- name: queue
select name, paused, concurrency, rate_count, rate_ms, max_pending, created_at from queues where name = ?

-- name: set_limits
update queues set paused = ?, concurrency = ?, rate_count = ?, rate_ms = ?, max_pending = ? where name = ?

-- name: list
select name, paused, concurrency, rate_count, rate_ms, max_pending, created_at from queues order by name

-- name: set_paused
update queues set paused = ? where name = ?

-- name: unfinished
select coalesce(sum(n), 0) as n from job_counts
where queue = ? and state not in ('completed', 'dead', 'cancelled')

-- name: remove
delete from queues where name = ?
