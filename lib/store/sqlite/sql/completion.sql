-- name: newest
select seq, id, state from jobs where seq < ? order by seq desc limit ?

-- name: newest_processing
select seq, id from jobs indexed by jobs_processing where state = 'processing' and seq < ? order by seq desc limit ?

-- name: newest_of_queue
-- The second look at the state says that jobs_by_state has it.
select seq, id from jobs indexed by jobs_by_state
where state = ? and state <> 'processing' and queue = ? and seq < ? order by seq desc limit ?

-- name: used
-- Which queue has jobs in which state. Those that run are few, and found without their queue.
select queue, state from job_counts where n > 0 and state <> 'processing'

-- name: ids_from
select seq, state from jobs where id >= ?1 and id < ?1 || char(1114111) order by id limit ?2

-- name: hint
-- More of a command than this fits into no shell.
select id, state, substr(coalesce(command, (select group_concat(value, ' ') from json_each(jobs.argv))), 1, 200) as command
from jobs where seq = ?

-- name: next_tag
-- The first tag above one: tags are walked one by one, not the jobs that have them.
select tag from job_tags where tag > ? order by tag limit 1

-- name: is_tag
select tag from job_tags where tag = ? limit 1

-- name: batches
-- Names are read before ages are compared, for only names have an index: 50,000 take 30 ms.
select name, sealed, total, ended from (
  select name, sealed, total, ended, created_at from batches
  where name >= ?1 and name < ?1 || char(1114111) order by name limit 50000
) order by created_at desc, name limit ?2
