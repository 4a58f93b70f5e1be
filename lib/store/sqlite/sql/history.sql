-- name: tallies
-- The current tally of every queue and priority; job_counts is small.
select queue, state, tally from job_counts where tally is not null

-- name: tally_before
select tally from minutes where queue = ? and priority = ? and minute < ? order by minute desc limit 1

-- name: extremes
select
  min(minute) as first, min(shortest_ms) as shortest_ms, max(longest_ms) as longest_ms,
  min(least_wait_ms) as least_wait_ms, max(most_wait_ms) as most_wait_ms
from minutes indexed by minutes_extremes where queue = ? and priority = ? and minute >= ?

-- name: minutes
select minute, tally from minutes where queue = ? and priority = ? and minute >= ? order by minute

-- name: longest
select longest_seq as seq, longest_ms as duration_ms from minutes indexed by minutes_extremes
where queue = ? and priority = ? and minute >= ? and longest_ms is not null order by longest_ms desc limit ?

-- name: newest_ended
-- The longest among the newest jobs of a state; how many are looked at is the fourth value.
select seq, duration_ms from (
  select seq, duration_ms, queue from jobs indexed by jobs_finished
  where state = ?1 and finished_at >= ?2 order by finished_at desc limit ?4
)
where duration_ms is not null and (?3 is null or queue = ?3) order by duration_ms desc limit ?5

-- name: by_seq
select * from jobs where seq = ?

-- name: worker_time
select coalesce(sum(slot_ms), 0) as slot_ms, coalesce(sum(busy_retries), 0) as busy_retries
from worker_minutes where minute >= ?

-- name: enqueued
select seq from sqlite_sequence where name = 'jobs'

-- name: oldest_pending
-- By order of arrival, in one queue.
select coalesce(ready_at, created_at) as at from jobs indexed by jobs_by_state
where state = 'pending' and state <> 'processing' and queue = ? order by seq limit 1

-- name: last_before
select max(minute) as minute from minutes where queue = ? and priority = ? and minute < ?

-- name: fold_extremes
-- The last of those from before takes over what the others knew: a percentile of all times must not be bounded by
-- the longest run of this week.
update minutes set
  (shortest_ms, least_wait_ms, most_wait_ms) = (
    select min(shortest_ms), min(least_wait_ms), max(most_wait_ms) from minutes
    where queue = ?1 and priority = ?2 and minute <= ?3
  ),
  (longest_ms, longest_seq) = (
    select longest_ms, longest_seq from minutes
    where queue = ?1 and priority = ?2 and minute <= ?3 order by longest_ms desc nulls last limit 1
  )
where queue = ?1 and priority = ?2 and minute = ?3

-- name: prune_minutes
delete from minutes where queue = ? and priority = ? and minute < ?

-- name: fold_worker_minutes
insert into worker_minutes (minute, slot_ms, busy_retries)
select 0, sum(slot_ms), sum(busy_retries) from worker_minutes where minute > 0 and minute < ? having count(*) > 0
on conflict (minute) do update set
  slot_ms = slot_ms + excluded.slot_ms, busy_retries = busy_retries + excluded.busy_retries

-- name: prune_worker_minutes
delete from worker_minutes where minute > 0 and minute < ?
