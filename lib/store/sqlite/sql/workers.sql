-- name: register
insert into workers (
  id, pool, host, boot_id, pid_namespace, pid, process_start, queues, slots, version, state, started_at, beat_at
)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?, ?)

-- name: beat
update workers set beat = beat + 1, beat_at = ?, state = ?, done = ?, failed = ?, rss_bytes = ? where id = ?

-- name: unregister
delete from workers where id = ?

-- name: list
select * from workers order by started_at, id

-- name: current_jobs
select worker_id, id from jobs where state = 'processing' order by started_at
