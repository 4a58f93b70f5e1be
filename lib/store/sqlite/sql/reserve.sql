-- name: reserve
update jobs set reserved_for = ?1, parked = case when state = 'pending' then 'run' else parked end where seq = ?2

-- name: abandoned
select seq, crashes, lock, queue from jobs indexed by jobs_reserved
where reserved_for is not null and updated_at < ? and state <> 'processing'
  and not exists (select 1 from workers where workers.id = jobs.reserved_for)

-- name: free
update jobs set reserved_for = null, parked = case when parked = 'run' then ? else parked end where seq = ?
