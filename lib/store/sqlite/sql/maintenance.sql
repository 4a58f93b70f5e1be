-- name: record
insert into maintenance (task, at, counts, error) values (?, ?, ?, ?)
on conflict (task) do update set at = excluded.at, counts = excluded.counts, error = excluded.error

-- name: recovered
update maintenance set error = null where task = ? and error is not null

-- name: list
select task, at, counts, error from maintenance order by task
