-- name: batch
select * from batches where name = ?

-- name: batches
select * from batches order by created_at desc, name

-- name: new_batch
insert into batches (name, created_at) values (?, ?)

-- name: add_members
update batches set total = total + ? where name = ?

-- name: set_on_done
update batches set on_done = ? where name = ?

-- name: seal_batch
update batches set sealed = 1 where name = ? and sealed = 0

-- name: member_ended
update batches set ended = ended + 1 where name = ? returning sealed, total, ended, done_at

-- name: member_again
update batches set ended = max(0, ended - 1) where name = ?

-- name: batch_done
-- Once only: the first to set done_at makes the job.
update batches set done_at = ?, done_job_id = ? where name = ? and done_at is null

-- name: remove_batch
delete from batches
where name = ? and done_at is not null and not exists (select 1 from jobs where jobs.batch = batches.name)

-- name: batch_states
select state, count(*) as n from jobs where batch = ? group by state
