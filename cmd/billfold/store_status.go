package main

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"billfold/ledger/printable"
	"billfold/rpcserver/audit"
	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"

	"github.com/spf13/cobra"
)

func storeStatusCommand(s *settings) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{Use: "status", Short: "Report the state of the store", Args: exactly(),
		Long: `Report the state of the store: its servers, whether commits wait for a standby, and
whether new payments are held. A payment is written and taken back, to see whether one
could be. The exit code is not 0, also with --json, while none can, or they are held, or
nothing is confirmed because no standby is connected, or none is asked for without
--store-may-lose, or a server is gone or has no daemon, or all are locked.`,
		RunE: func(cmd *cobra.Command, _ []string) error { return storeStatus(cmd, s, asJSON) }}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

// statusRow is the JSON of a store's status.
type statusRow struct {
	Store     string            `json:"store"` // its address
	ID        string            `json:"id"`
	Version   int               `json:"version"`
	Payments  int64             `json:"payments"`
	Open      int64             `json:"open"`
	Records   int64             `json:"audit_records"`
	Unclaimed int               `json:"unclaimed"` // payments that were found after a loss and that nobody has claimed
	Standbys  standbyRow        `json:"standbys"`
	Held      *heldRow          `json:"held"` // null unless new payments are held
	Servers   []postgres.Server `json:"servers"`
	Refuses   string            `json:"refuses"` // why no payment can be written; "" = one can
}

type standbyRow struct {
	Names     string `json:"synchronous_standby_names"`
	Connected int    `json:"connected"`
	Waiting   int    `json:"waiting"` // commits that wait for a standby
}

type heldRow struct {
	Why       string    `json:"why"`
	Since     time.Time `json:"since"`
	FromBlock uint32    `json:"from_block"` // a block from before the loss; 0 = not known, or not needed
	Person    bool      `json:"needs_person"`
	Awaited   []string  `json:"awaited"` // the servers that have not yet compared what they know
	Ends      string    `json:"ends"`    // what ends it, in words
}

func statusRowOf(at *postgres.Status) statusRow {
	r := statusRow{at.Path, at.ID, at.Version, at.Payments, at.Open, at.Records, at.Unclaimed,
		standbyRow{at.Standbys, at.Streams, at.Waits}, nil, at.Servers, ""}
	if at.Refuses != nil {
		r.Refuses = at.Refuses.Error()
	}
	if at.HeldWhy != "" {
		r.Held = &heldRow{at.HeldWhy, at.HeldSince, at.HeldFrom, at.NeedsPerson, append([]string{}, at.Awaited...), holdAdvice(at)}
	}
	return r
}

func storeStatus(cmd *cobra.Command, s *settings, asJSON bool) error {
	if err := s.readForShared(); err != nil {
		return err
	}
	at, err := s.storeOptions(nil).Status(cmd.Context(), s.store)
	if err != nil {
		return err
	}
	out := cmd.OutOrStdout()
	if asJSON {
		if err := json.NewEncoder(out).Encode(statusRowOf(&at)); err != nil {
			return err
		}
		return cmp.Or(heldError(&at), unprotected(&at, s.mayLose), unfit(&at))
	}
	fmt.Fprintf(out, "%s: store %s, version %d\n%s, %d open; %s\n", at.Path, at.ID, at.Version,
		printable.Many(at.Payments, "payment"), at.Open, printable.Many(at.Records, "audit record"))
	fmt.Fprintln(out, standbyLine(&at))
	printServers(out, &at)
	if at.Unclaimed > 0 {
		fmt.Fprintf(out, "payments that were found after a loss, and that nobody has claimed: %d; billfold store found lists them\n",
			at.Unclaimed)
	}
	return cmp.Or(heldError(&at), unprotected(&at, s.mayLose), unfit(&at))
}

// unfit returns which of the servers cannot do their part and what to do, nil if all can. Those that ended in good order are not missed.
func unfit(at *postgres.Status) error {
	var list []string
	live, locked := 0, 0
	for _, v := range at.Servers {
		name := printable.Text(v.Name)
		switch {
		case v.Ended != nil || v.Unheard:
			continue
		case !v.Alive:
			list = append(list, name+" is gone: it was killed or cut off; start it again, or look what happened to it; if it is gone for good: billfold store forget "+name)
			continue
		case !v.Follows:
			list = append(list, name+" has no daemon: billfold doctor there says why")
		}
		if live++; v.Locked != nil && *v.Locked {
			locked++
		}
	}
	if live > 0 && live == locked {
		list = append(list, "all servers are locked: unlock them (billfold call unlock on each, or --unlock-from)")
	}
	if len(list) == 0 {
		return nil
	}
	return errors.New(strings.Join(list, "; "))
}

// heldError returns why no new payments are made and what ends that, nil if they are made.
func heldError(at *postgres.Status) error {
	switch {
	case at.HeldWhy == "" && at.Mute():
		return errors.New("no new payment is made while no standby is connected; start it, or change synchronous_standby_names")
	case at.HeldWhy == "" && at.Refuses != nil:
		return fmt.Errorf("no new payment can be written: %w; servers say so on /readyz until one can", at.Refuses)
	case at.HeldWhy == "":
		return nil
	}
	return fmt.Errorf("no new payment has been made since %s: %s; %s", day(at.HeldSince), printable.Text(at.HeldWhy), holdAdvice(at))
}

// unprotected returns what to do about a database whose commits wait for no standby, nil if they do, or if that is accepted.
func unprotected(at *postgres.Status, mayLose bool) error {
	if at.Standbys != "" || mayLose {
		return nil
	}
	return errors.New("servers without --store-may-lose pay nothing new while synchronous_standby_names is empty, as it is after a promotion: " +
		"make a standby from this database (pg_basebackup -R) and, once it streams, ALTER SYSTEM SET synchronous_standby_names = 'NAME' " +
		"and SELECT pg_reload_conf(); or give --store-may-lose here and to the servers, which accepts that a failover loses payments")
}

// standbyLine describes whether commits also reach a standby.
func standbyLine(at *postgres.Status) string {
	switch {
	case at.Standbys == "":
		return "warning: the database has no synchronous standby, so a failover may lose payments"
	case at.Mute():
		return fmt.Sprintf("warning: no standby is connected (synchronous_standby_names = %s), and nothing is confirmed until one is",
			printable.Text(at.Standbys))
	case at.Waits > 0:
		return fmt.Sprintf("warning: %s for a synchronous standby (synchronous_standby_names = %s; %d connected)", commitsWait(at.Waits),
			printable.Text(at.Standbys), at.Streams)
	}
	return fmt.Sprintf("synchronous_standby_names = %s; %d connected", printable.Text(at.Standbys), at.Streams)
}

func serversCommand(s *settings) *cobra.Command {
	asJSON := false
	cmd := &cobra.Command{Use: "servers", Short: "List the servers that share the store, and what they follow", Args: exactly(),
		Long: `List the servers that share the store, and how many open payments each follows.

A server that ended in good order is listed as ended, and so is the folder of a command such
as pay that is done. One that is gone was killed or cut off: check what happened to it. A locked one
answers, and pays nothing until it is unlocked.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := s.readForShared(); err != nil {
				return err
			}
			at, err := s.storeOptions(nil).Status(cmd.Context(), s.store)
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(at.Servers)
			}
			printServers(cmd.OutOrStdout(), &at)
			return nil
		}}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printServers(out io.Writer, at *postgres.Status) {
	if len(at.Servers) == 0 {
		fmt.Fprintln(out, "no server has used it yet")
	}
	called := map[string]bool{}
	for _, v := range at.Servers {
		state := fmt.Sprintf("alive, heard from within %s", (10*time.Second - v.Left).Round(time.Second))
		if v.Alive && called[v.Name] {
			state += ", another one has the same name (--server-name gives one)"
		}
		called[v.Name] = called[v.Name] || v.Alive
		switch {
		case v.Ended != nil:
			state = "ended " + day(*v.Ended)
		case v.Unheard && at.Mute(): // it may be alive: its sign of life cannot be confirmed
			state = fmt.Sprintf("not heard from for %s, like all while nothing is confirmed", (10*time.Second - v.Left).Round(time.Second))
		case v.Unheard:
			state = "not heard of since the database came back a moment ago"
		case !v.Alive:
			state = "gone"
		default:
			if !v.Follows {
				state += ", without a daemon"
			}
			if v.Locked != nil && *v.Locked {
				state += ", locked"
			}
		}
		fmt.Fprintf(
			out,
			"%s (%s): %s; version %s, started %s; follows %s\n",
			printable.Text(v.Name),
			v.ID[:min(8, len(v.ID))],
			state,
			printable.Text(v.Version),
			day(v.Started),
			printable.Many(v.Open, "payment"),
		)
	}
}

// commitsWait returns in words how many commits wait.
func commitsWait(n int) string {
	if n == 1 {
		return "1 commit waits"
	}
	return printable.Many(n, "commit") + " wait"
}

func forgetCommand(s *settings) *cobra.Command {
	return &cobra.Command{Use: "forget SERVER", Short: "Take a server that is gone for good off the list", Args: exactly("SERVER"),
		Long: `Take a server that is gone for good off the list, by its name or its id. store status
then misses it no longer.

It is refused while the server is alive, while it has open payments that nobody has taken
over, and while the store is held. What it wrote stays; if it ever comes back, it is
compared and listed like any other. The audit log says who was forgotten.`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := s.readForShared(); err != nil {
				return err
			}
			one, err := s.storeOptions(nil).Forget(cmd.Context(), s.store, args[0], func(kept *store.Store, v postgres.Server) store.Change {
				return audit.NewLog(kept.Audit).Change(personRecord("store forget", v.Name+" ("+v.ID+")"))
			})
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "the server %s (%s) is forgotten\n", printable.Text(one.Name), one.ID[:min(8, len(one.ID))])
			return err
		}}
}
