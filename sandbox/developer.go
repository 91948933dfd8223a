package sandbox

import (
	"fmt"
	"strings"
	"time"

	"billfold/ledger"
	"billfold/sandbox/chain/state"
)

// developerPrefix begins the methods of the sandbox set where no set is named.
const developerPrefix = "sandbox_"

// mostMined bounds one call of mine.
const mostMined = 100_000

// developerSet is what no node has: the ledger in a developer's hands. It is
// called by name alone, over websocket and HTTP: as set "sandbox", or by method
// names that begin with sandbox_.
var developerSet = apiSet{name: "sandbox", methods: map[string]method{
	"info":           with0(func(s *session) (any, error) { return s.sandbox.developerInfo(), nil }),
	"mine":           with1(mineBlocks),
	"set_block_time": withDuration((*Sandbox).SetBlockTime),
	"set_time":       with1(func(s *session, at ledger.Time) (any, error) { return s.sandbox.SetTime(at) }),
	"jump": with1(func(s *session, seconds int64) (any, error) {
		return ledger.TimeOf(s.sandbox.Jump(time.Duration(seconds) * time.Second)), nil
	}),
	"stop_blocks": with1(func(s *session, stop bool) (any, error) { s.sandbox.StopBlocks(stop); return nil, nil }),
	"snapshot":    with0(func(s *session) (any, error) { return s.sandbox.Snapshot(), nil }),
	"revert":      with1(func(s *session, id uint64) (any, error) { return nil, s.sandbox.Revert(id) }),
	"fork":        with2(fork),
	"fund": with3(func(s *session, account, amount, symbol string) (any, error) {
		return s.sandbox.Fund(account, amount, symbol)
	}),
	"push": with1(func(s *session, ops []ledger.Operation) (any, error) { return s.sandbox.PushUnsigned(ops...) }),
	"drop_after": with2(func(s *session, frames, lines uint32) (any, error) {
		s.sandbox.DropAfter(int(frames), int(lines))
		return nil, nil
	}),
	"delay":        withDuration(func(s *Sandbox, by time.Duration) error { s.Delay(by); return nil }),
	"delay_method": with2(delayMethod),
	"kill":         with2(killNode),
	"end":          withDuration((*Sandbox).End),
	"slow":         with1(func(s *session, rate uint32) (any, error) { s.sandbox.Slow(int(rate)); return nil, nil }),
	"refuse_broadcast": with2(func(s *session, code uint32, message string) (any, error) {
		return nil, s.sandbox.RefuseBroadcast(int(code), message)
	}),
	"pose_as":      with1(func(s *session, id *ledger.ChainID) (any, error) { s.sandbox.PoseAs(id); return nil, nil }),
	"clear_faults": with0(func(s *session) (any, error) { s.sandbox.ClearFaults(); return nil, nil }),
}}

// developerCall finds a method of the developer's set, and spares the
// connection that uses it.
func (s *session) developerCall(set *apiSet, name string) (*apiSet, string) {
	if set == &databaseSet && strings.HasPrefix(name, developerPrefix) {
		set, name = &developerSet, strings.TrimPrefix(name, developerPrefix)
	}
	if set == &developerSet {
		s.developer = true
		if s.line != nil {
			s.line.spare()
		}
	}
	return set, name
}

// withDuration is a method whose argument is a length of time as text, such as
// "500ms" or "2s".
func withDuration(do func(*Sandbox, time.Duration) error) method {
	return with1(func(s *session, text string) (any, error) {
		length, err := parseDuration(text)
		if err != nil {
			return nil, err
		}
		return nil, do(s.sandbox, length)
	})
}

func parseDuration(text string) (time.Duration, error) {
	length, err := time.ParseDuration(text)
	if err != nil || length < 0 {
		return 0, fmt.Errorf(`%q is no duration; write it as text such as "500ms"`, text)
	}
	return length, nil
}

func delayMethod(s *session, method, text string) (any, error) {
	by, err := parseDuration(text)
	if err == nil {
		s.sandbox.DelayMethod(method, by)
	}
	return nil, err
}

func killNode(s *session, text string, lost uint32) (any, error) {
	away, err := parseDuration(text)
	if err != nil {
		return nil, err
	}
	return nil, s.sandbox.Kill(away, int(min(lost, mostMined)))
}

func mineBlocks(s *session, n uint32) (any, error) {
	if n > mostMined {
		return nil, fmt.Errorf("%d blocks at once are too many; ask for at most %d", n, mostMined)
	}
	ids := make([]ledger.BlockID, n)
	for i := range ids {
		var err error
		if ids[i], err = s.sandbox.Mine(); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

type forked struct {
	HeadBlockNumber uint32                 `json:"head_block_number"`
	Dropped         []ledger.TransactionID `json:"dropped"`
}

func fork(s *session, blocks uint32, keep bool) (any, error) {
	dropped, err := s.sandbox.Fork(int(blocks), keep)
	if err != nil {
		return nil, err
	}
	out := forked{Dropped: []ledger.TransactionID{}}
	for _, d := range dropped {
		out.Dropped = append(out.Dropped, d.ID)
	}
	s.sandbox.chain.View(func(st *state.State) { out.HeadBlockNumber = st.Dynamic().HeadBlockNumber })
	return out, nil
}

type developerInfo struct {
	ChainID         ledger.ChainID `json:"chain_id"` // the real one
	Time            ledger.Time    `json:"time"`     // of the clock
	BlockTime       string         `json:"block_time"`
	HeadBlockNumber uint32         `json:"head_block_number"`
	HeadBlockTime   ledger.Time    `json:"head_block_time"`
	Pending         int            `json:"pending"`
}

func (s *Sandbox) developerInfo() developerInfo {
	every, _ := s.pace.get()
	info := developerInfo{ChainID: s.ChainID(), Time: ledger.TimeOf(s.clock.now()), BlockTime: every.String(), Pending: s.chain.Pending()}
	s.chain.View(func(st *state.State) {
		info.HeadBlockNumber, info.HeadBlockTime = st.Dynamic().HeadBlockNumber, st.HeadTime()
	})
	return info
}
