-- name: list
select * from pools order by name, host

-- name: find
select * from pools where name = ? and host = ?

-- name: put
insert into pools (name, host, count, concurrency, queues, created_at, updated_at)
values (?, ?, ?, ?, ?, ?, ?)
on conflict (name, host) do update set
  count = excluded.count,
  concurrency = excluded.concurrency,
  queues = excluded.queues,
  state = 'running',
  release_at = null,
  updated_at = excluded.updated_at
returning *

-- name: scale
update pools set count = ?, updated_at = ? where name = ? and host = ? returning *

-- name: restart
update pools set generation = generation + 1, updated_at = ? where name = ? and host = ? returning *

-- name: stop
update pools set state = 'stopping', release_at = ?, updated_at = ? where name = ? and host = ? returning *

-- name: beat
update pools
set supervisor_pid = ?, supervisor_start = ?, is_foreground = ?, version = ?, trouble = ?, beat_at = ?
where name = ? and host = ?

-- name: prune
delete from pools
where coalesce(beat_at, updated_at) < ?
  and not exists (select 1 from workers where workers.pool = pools.name and workers.host = pools.host)

-- name: remove
delete from pools where name = ? and host = ?
