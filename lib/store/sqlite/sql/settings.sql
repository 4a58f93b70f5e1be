-- name: all
select key, value from settings

-- name: set
insert into settings (key, value, updated_at) values (?, ?, ?)
on conflict (key) do update set value = excluded.value, updated_at = excluded.updated_at

-- name: unset
delete from settings where key = ?
