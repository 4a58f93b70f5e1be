-- name: insert
insert into jobs (
  id, id_generated, state, parked, queue, priority, type, command, argv, max_retries, timeout_ms, run_at, tags, template,
  options, created_at, updated_at, lock, key, batch, expires_at, gate, parents_left
)
values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- name: insert_tag
insert into job_tags (tag, job_seq) values (?, ?)

-- name: by_seq
select * from jobs where seq = ?

-- name: by_id
select * from jobs where id = ?

-- name: seq_of_id
select seq from jobs where id = ?

-- name: by_prefix
-- Only generated ids are abbreviated, so a chosen id is never meant by accident.
select * from jobs where id >= ?1 and id < ?1 || '{' and id_generated = 1 order by id limit ?2

-- name: counts
select queue, state, n from job_counts where n > 0

-- name: runs
select * from runs where job_seq = ? order by run

-- name: output
select stdout, stderr from run_output where job_seq = ? and run = ?
