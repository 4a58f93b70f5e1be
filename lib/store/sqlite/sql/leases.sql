-- name: get
select holder, beat, data from leases where name = ?

-- name: take_free
insert into leases (name, holder, data, updated_at) values (?, ?, ?, ?) on conflict (name) do nothing

-- name: take_over
-- Compare and set: of two who saw the same dead holder, one gets it.
update leases set holder = ?, data = ?, updated_at = ?, beat = beat + 1 where name = ? and holder = ? and beat = ?

-- name: beat
update leases set beat = beat + 1, updated_at = ? where name = ? and holder = ?

-- name: release
delete from leases where name = ? and holder = ?
