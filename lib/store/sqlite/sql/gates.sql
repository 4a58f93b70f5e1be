-- name: next_gate
-- The next gate at which jobs of a queue wait; one step per gate, not per job.
select queue, gate from jobs indexed by jobs_gate
where state = 'pending' and parked = 'gate' and queue = ? and gate > ? order by gate limit 1

-- name: next_gated_queue
-- The next queue in which jobs wait at a gate, and its first gate.
select queue, gate from jobs indexed by jobs_gate
where state = 'pending' and parked = 'gate' and queue > ? order by queue, gate limit 1

-- name: gate_heads
select seq, priority from jobs indexed by jobs_gate
where state = 'pending' and parked = 'gate' and queue = ? and gate = ? and crashes = 0
order by priority desc, seq limit ? + 0

-- name: gate_heads_alone
-- Of those that must run alone, one with the fewest crashes.
select seq, priority from jobs indexed by jobs_gate
where state = 'pending' and parked = 'gate' and queue = ? and gate = ? and crashes > 0
order by crashes, priority desc, seq limit 1

-- name: park_for_gate
-- What is reserved stays where it is: its own worker asks for it again and again, and that writes only news.
update jobs set parked = case when reserved_for is null then 'gate' else parked end, reason = ?1
where seq = ?2 and state = 'pending' and (parked not in ('gate', 'run') or reason is not ?1)
