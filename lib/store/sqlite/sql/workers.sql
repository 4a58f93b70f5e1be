-- name: register
insert into workers (
  id, pool, host, boot_id, pid_namespace, pid, process_start, queues, slots, version, generation, state, started_at,
  beat_at
)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'running', ?, ?)

-- name: beat
update workers set beat = beat + 1, beat_at = ?, state = ?, done = ?, failed = ?, rss_bytes = ?, trouble = ?
where id = ?

-- name: unregister
delete from workers where id = ?

-- name: count
select count(*) as n from workers

-- name: list
select * from workers order by started_at, id

-- name: current_jobs
select worker_id, id from jobs where state = 'processing' order by started_at

-- name: last_beat
select beat_at, slots from workers where id = ?

-- name: record_slots
insert into worker_minutes (minute, slot_ms, busy_retries) values (?, ?, ?)
on conflict (minute) do update set
  slot_ms = slot_ms + excluded.slot_ms, busy_retries = busy_retries + excluded.busy_retries

-- name: holdings
select seq, id, claim, started_at from jobs indexed by jobs_processing
where state = 'processing' and worker_id = ? order by seq

-- name: strays
select distinct worker_id from jobs indexed by jobs_processing
where state = 'processing' and worker_id not in (select id from workers)

-- name: beat_of
select beat from workers where id = ?
