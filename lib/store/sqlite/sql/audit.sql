-- name: insert
insert into audit (at, user, host, pid, action, target, detail) values (?, ?, ?, ?, ?, ?, ?)

-- name: list
select at, user, host, pid, action, target, detail from audit where at >= ? order by at desc, seq desc limit ?

-- name: prune
delete from audit where seq in (select seq from audit where at < ? order by at limit ? + 0)
