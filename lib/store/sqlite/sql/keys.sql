-- name: key_active
-- The newest job with a key that is not final, other than one.
select seq, id, state, queue, lock, batch from jobs indexed by jobs_key_active
where key is not null and finished_at is null and key = ? || '' and seq <> ? order by seq desc limit 1

-- name: key_waiting
select seq, id, state, queue, lock, batch from jobs indexed by jobs_key_active
where key is not null and finished_at is null and key = ? || '' and state <> 'processing' and seq <> ?
order by seq desc limit 1

-- name: key_newest
select seq, id, state, queue, lock, batch, created_at from jobs indexed by jobs_key_newest
where key is not null and state <> 'cancelled' and key = ? || '' order by seq desc limit 1
