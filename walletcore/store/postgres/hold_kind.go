package postgres

import "time"

// What ends a hold.
const (
	byMarks  = "marks"  // every live server compares its mark, and none lacks anything
	bySearch = "loss"   // rows are missing: the servers concerned write back what they remember, and one searches the ledger
	byPerson = "person" // an older copy, or something that no program can decide
)

const (
	// walTimeline is the timeline that the database writes now: each promotion starts another.
	walTimeline = `substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`

	// timelineID also identifies the cluster, because a dump restored into another cluster may have the same timeline.
	timelineID = `((SELECT system_identifier FROM pg_control_system()) || '/' || ` + walTimeline + `)`

	// sameTimeline is the condition that the statement runs on the timeline for which all servers have compared their marks.
	sameTimeline = `split_part(timeline, '/', 2) = ` + walTimeline
)

// cause is why a store is held, and how the hold ends.
type cause struct {
	why, kind string
	timeline  string    // of the database; "" = the known one
	lacks     bool      // the store lacks something that this server remembers
	until     time.Time // a time before the missing rows were written, by the database's clock; zero = unknown
}

// awaitAlive records the servers that were alive when the store was last written: the hold waits until they have compared their marks.
const awaitAlive = `INSERT INTO held_for (server) SELECT id FROM servers
	WHERE expires_at > 0 AND expires_at >= (SELECT MAX(expires_at) FROM servers) - ? ON CONFLICT DO NOTHING`

func strictness(kind string) int {
	switch kind {
	case byMarks:
		return 1
	case bySearch:
		return 2
	}
	return 3
}

// endHold ends a hold that waits for no server.
const endHold = `UPDATE store_meta SET held_since = 0, held_why = '', held_kind = '', held_from = 0, generation = generation + 1
	WHERE held_since > 0 AND NOT EXISTS (SELECT 1 FROM held_for)`
