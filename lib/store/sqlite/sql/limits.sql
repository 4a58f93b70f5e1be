-- name: jobs_in_state
select n from job_counts where queue = ? and state = ?

-- name: last_start
select max(slot) as slot from queue_starts where queue = ?

-- name: starts_from
select slot, started_at from queue_starts where queue = ? and slot >= ? order by slot limit ? + 0

-- name: add_start
insert into queue_starts (queue, slot, started_at) values (?, ?, ?)

-- name: forget_starts
delete from queue_starts where queue = ? and slot <= ?

-- name: rated_queues
-- Queues with a rate in which something waits and that have room for it.
select q.name, q.rate_count, q.rate_ms
from queues q indexed by queues_rated
join job_counts w on w.queue = q.name and w.state = 'pending' and w.n > 0
left join job_counts r on r.queue = q.name and r.state = 'processing'
where q.rate_count is not null and q.paused = 0 and (q.concurrency is null or coalesce(r.n, 0) < q.concurrency)

-- name: expiring
select seq, id, state, queue, lock, batch from jobs indexed by jobs_expiring
where expires_at is not null and state in ('scheduled', 'blocked', 'pending', 'failed') and expires_at <= ? + 0
order by expires_at limit ? + 0
