-- name: insert_parent
insert into dependencies (child_seq, parent_id, parent_seq, needs, state) values (?, ?, ?, ?, ?)

-- name: parent_row
select seq, id, state, revived from jobs where id = ?

-- name: parents
select d.parent_id, d.needs, d.state, d.parent_seq, p.state as parent_state
from dependencies d left join jobs p on p.seq = d.parent_seq
where d.child_seq = ? order by d.parent_id

-- name: parent_seqs
select parent_seq from dependencies where child_seq = ? and parent_seq is not null

-- name: waiting_children
select d.child_seq, d.needs, c.id, c.state, c.queue, c.lock, c.batch, c.run_at
from dependencies d indexed by dependencies_open join jobs c on c.seq = d.child_seq
where d.parent_seq = ? and d.state <> 'satisfied' and d.state = 'waiting' || '' limit ? + 0

-- name: set_parent_state
update dependencies set state = ? where child_seq = ? and parent_seq = ?

-- name: satisfy_failed
-- A parent that ended badly once has completed after all: its cancelled children may be retried.
update dependencies indexed by dependencies_open set state = 'satisfied'
where parent_seq = ? and state <> 'satisfied' and state = 'failed' || ''

-- name: one_parent_less
update jobs set parents_left = max(0, parents_left - 1) where seq = ? returning parents_left, state, run_at, lock, queue

-- name: unblock
update jobs set state = ?, parked = case when reserved_for is null then ? else 'run' end, run_at = ?, ready_at = ?, reason = null, updated_at = ?
where seq = ? and state = 'blocked'

-- name: has_waiting_children
select exists (
  select 1 from dependencies indexed by dependencies_open
  where parent_seq = ? and state <> 'satisfied' and state = 'waiting' || ''
) as yes

-- name: add_unsettled
insert into unsettled (seq) values (?) on conflict (seq) do nothing

-- name: next_unsettled
select u.seq, j.id, j.state, j.reason, j.revived from unsettled u join jobs j on j.seq = u.seq where u.seq > ? order by u.seq limit 1

-- name: remove_unsettled
delete from unsettled where seq = ?
