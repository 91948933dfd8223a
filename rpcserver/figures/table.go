package figures

import (
	"fmt"
	"strings"
)

// kind is the type of a metric.
type kind string

const (
	gauge     kind = "gauge"
	counter   kind = "counter"
	histogram kind = "histogram"
)

// metric is a row of the table. Names follow Prometheus' rules: base units, and what only grows ends in _total.
type metric struct {
	name   string
	kind   kind
	labels []string
	help   string
}

const (
	callsName    = "billfold_rpc_call_duration_seconds"
	refusalsName = "billfold_rpc_refusals_total"
)

// table is every metric of our own. The documentation, the collector and the tests read it.
func table() []metric {
	return []metric{
		{"billfold_build_info", gauge, []string{"version", "goversion"}, "1, with the version of the program and the Go that built it."},
		{"billfold_ready", gauge, nil, "Whether a payment would be made now, as /readyz answers."},
		{"billfold_obstacle", gauge, []string{"part"}, "Whether this part stands in the way of payments: journal, disk, ledger, keys or lock."},
		{"billfold_locked", gauge, nil, "Whether the wallet is locked."},

		{callsName, histogram, []string{"group"}, "How long calls took their callers, by group of operations; waiting: those that wait for something, unknown: those that do not exist."},
		{refusalsName, counter, []string{"code"}, "Errors that were answered, by code."},
		{"billfold_rpc_running_calls", gauge, nil, "Calls that run now."},

		{"billfold_payments_open", gauge, []string{"state"}, "Payments whose outcome is open, by state: prepared, sent, in_block or unknown."},
		{"billfold_payments_oldest_open_timestamp_seconds", gauge, nil, "When the oldest open payment was made; not there if none is open."},
		{"billfold_payments_total", counter, []string{"state"}, "Payments that came to a state since the program started."},
		{"billfold_payments_held", gauge, nil, "Whether nothing is paid because the store is held, lost or away, or lacks payments."},
		{"billfold_approvals_waiting", gauge, nil, "Calls that wait for a person's approval."},

		{"billfold_deposits_unacknowledged", gauge, []string{"account"}, "Irreversible deposits that were not acknowledged, at most 100, of accounts for which deposits are acknowledged."},
		{"billfold_deposits_oldest_unacknowledged_timestamp_seconds", gauge, []string{"account"}, "When the oldest of these was in a block; not there if there is none."},

		{"billfold_daemon_connected", gauge, []string{"daemon"}, "Whether the daemon is connected."},
		{"billfold_daemon_in_use", gauge, []string{"daemon"}, "Whether the wallet uses the daemon now."},
		{"billfold_daemon_behind", gauge, []string{"daemon"}, "Whether its newest block is old, or lacks blocks that it had."},
		{"billfold_daemon_distrusted", gauge, []string{"daemon"}, "Whether it gave a false answer within the last minute."},
		{"billfold_daemon_head_timestamp_seconds", gauge, []string{"daemon"}, "Time of its newest block; not there while unknown."},
		{"billfold_daemon_latency_seconds", gauge, []string{"daemon"}, "The shortest of its latest round trips; not there while unknown."},
		{"billfold_head_block", gauge, nil, "Number of the newest block."},
		{"billfold_irreversible_block", gauge, nil, "Number of the last block that the miners' signatures prove irreversible."},

		{"billfold_store_writable", gauge, nil, "Whether a payment could be written now."},
		{"billfold_store_commit_duration_seconds", histogram, nil, "How long commits took that were made."},
		{"billfold_store_commit_failures_total", counter, nil, "Commits that were not made, or of which that is not known."},
		{"billfold_store_waiting_changes", gauge, nil, "Changes that wait for a commit."},
		{"billfold_audit_records_total", counter, nil, "Records in the audit log, over all runs."},
		{"billfold_disk_free_bytes", gauge, nil, "Room left on the disk of the wallet's folder; not there where the system does not say."},
		{"billfold_index_disk_free_bytes", gauge, nil, "Room left on the disk of --index-dir; not there without that setting."},

		{"billfold_token_limit_used_ratio", gauge, []string{"token", "asset"}, "The part of a token's limit per day that it has paid within 24 hours."},
		{"billfold_token_expiry_timestamp_seconds", gauge, []string{"token"}, "When a token ends; not there for one that does not."},
		{"billfold_certificate_expiry_timestamp_seconds", gauge, nil, "When the listeners' TLS certificate ends; not there without TLS."},
	}
}

func helpOf(name string) string {
	for _, m := range table() {
		if m.name == name {
			return m.help
		}
	}
	return ""
}

// Markdown returns the table for the documentation.
func Markdown() string {
	var b strings.Builder
	b.WriteString("| metric | kind | labels | |\n|---|---|---|---|\n")
	for _, m := range table() {
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s |\n", m.name, m.kind, strings.Join(m.labels, ", "), m.help)
	}
	return b.String()
}
