package postgres

import "time"

// What ends a hold.
const (
	byMarks  = "marks"  // every server that lived compares its mark, and none lacks anything
	bySearch = "loss"   // something is missing: those servers write again what they remember, and one searches the ledger
	byPerson = "person" // an older copy, or something that no program can decide
)

const (
	// walTimeline is the history that the database writes now: each promotion begins another.
	walTimeline = `substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8)`

	// timelineID also names the cluster, which a dump that was restored into another one does not have.
	timelineID = `((SELECT system_identifier FROM pg_control_system()) || '/' || ` + walTimeline + `)`

	// sameTimeline is the condition that a statement is carried out in the history that all servers have compared their marks in.
	sameTimeline = `split_part(timeline, '/', 2) = ` + walTimeline
)

// cause is why a store is held.
type cause struct {
	why, kind string
	timeline  string    // of the database; "" = the one that is known
	lacks     bool      // this server misses something
	until     time.Time // a time before what is missing was written, by the database's clock; zero = not known
}

// awaitAlive lists the servers that lived when the store was last written: what they know is compared.
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

// endHold ends a hold for which no server is waited for.
const endHold = `UPDATE store_meta SET held_since = 0, held_why = '', held_kind = '', held_from = 0, generation = generation + 1
	WHERE held_since > 0 AND NOT EXISTS (SELECT 1 FROM held_for)`
