-- name: list
select name, job, created_at, updated_at from templates order by name

-- name: find
select name, job, created_at, updated_at from templates where name = ?

-- name: put
insert into templates (name, job, created_at, updated_at) values (?1, ?2, ?3, ?3)
on conflict (name) do update set job = excluded.job, updated_at = excluded.updated_at

-- name: remove
delete from templates where name = ?
