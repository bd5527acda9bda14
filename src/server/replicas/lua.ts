/** Keeps a secret unless there is one, and returns the one that there is. A full engine has room for it. */
export const sharing = `#!lua flags=allow-oom
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return redis.call('GET', KEYS[1])`;

/** Appends to a log, if there is one, even where the engine is full. */
export const appending = `#!lua flags=allow-oom
return redis.call('XADD', KEYS[1], 'NOMKSTREAM', '*', 'from', ARGV[1], 'batch', ARGV[2], 'mark', ARGV[3])`;

/** Begins a log unless there is one that can be read on from its snapshot, or from its start. */
export const beginning = `#!lua flags=allow-oom
local begun = redis.call('HMGET', KEYS[1], 'id', 'settings')
local anchor = redis.call('HGET', KEYS[3], 'id') or begun[1]
if begun[1] and anchor and #redis.call('XRANGE', KEYS[2], anchor, anchor) == 1 then return { begun[1], begun[2], '' } end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
local id = redis.call('XADD', KEYS[2], '*', 'from', 'begin', 'batch', '')
redis.call('HSET', KEYS[1], 'id', id, 'settings', ARGV[1])
return { id, ARGV[1], 'new' }`;

/**
 * Keeps a snapshot unless there is a later one, and trims the log before the one that it replaces, or before itself. Room
 * comes first, and a full engine takes it too: it holds less afterwards, or nothing would ever give room again.
 */
export const keeping = `#!lua flags=allow-oom
local known = redis.call('HMGET', KEYS[1], 'requests', 'id')
local before = known[1] and tonumber(known[1]) or -1
if before > tonumber(ARGV[3]) then return 0 end
local first = ARGV[7] == 'whole' and ARGV[1] or known[2]
if first then redis.call('XTRIM', KEYS[2], 'MINID', first) end
if before == tonumber(ARGV[3]) then return 0 end
redis.call('DEL', KEYS[1])
redis.call('HSET', KEYS[1], 'id', ARGV[1], 'from', ARGV[2], 'requests', ARGV[3], 'bytes', ARGV[4], 'state', ARGV[5], 'mark', ARGV[6])
return 1`;
