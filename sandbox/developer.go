package sandbox

import (
	"fmt"
	"time"

	"billfold/ledger"
	"billfold/sandbox/api"
	"billfold/sandbox/chain/state"
)

// maxMined limits the blocks of one call of mine.
const maxMined = 100_000

// developerSet returns the methods that no real node has, which let a developer
// control the ledger. They are called without enabling, over websocket and HTTP:
// as set "sandbox", or by method names that begin with sandbox_.
func developerSet(c *Controls) *api.Set {
	return api.NewSet("sandbox", map[string]api.Method{
		"info":           api.With0(func(_ *api.Session) (any, error) { return c.info(), nil }),
		"mine":           api.With1(c.mineCall),
		"set_block_time": withDuration(c.SetBlockTime),
		"set_time":       api.With1(func(_ *api.Session, at ledger.Time) (any, error) { return c.SetTime(at) }),
		"jump": api.With1(func(_ *api.Session, seconds int64) (any, error) {
			return ledger.TimeOf(c.Jump(time.Duration(seconds) * time.Second)), nil
		}),
		"stop_blocks": api.With1(func(_ *api.Session, stop bool) (any, error) { c.StopBlocks(stop); return nil, nil }),
		"snapshot":    api.With0(func(_ *api.Session) (any, error) { return c.Snapshot(), nil }),
		"revert":      api.With1(func(_ *api.Session, id uint64) (any, error) { return nil, c.Revert(id) }),
		"fork":        api.With2(c.forkCall),
		"fund": api.With3(func(_ *api.Session, account, amount, symbol string) (any, error) {
			return c.Fund(account, amount, symbol)
		}),
		"push": api.With1(func(_ *api.Session, ops []ledger.Operation) (any, error) { return c.PushUnsigned(ops...) }),
		"drop_after": api.With2(func(_ *api.Session, frames, conns uint32) (any, error) {
			c.DropAfter(int(frames), int(conns))
			return nil, nil
		}),
		"delay":        withDuration(func(by time.Duration) error { c.Delay(by); return nil }),
		"delay_method": api.With2(c.delayCall),
		"kill":         api.With2(c.killCall),
		"end":          withDuration(c.End),
		"slow":         api.With1(func(_ *api.Session, rate uint32) (any, error) { c.Slow(int(rate)); return nil, nil }),
		"refuse_broadcast": api.With2(func(_ *api.Session, code uint32, message string) (any, error) {
			return nil, c.RefuseBroadcast(int(code), message)
		}),
		"pose_as":      api.With1(func(_ *api.Session, id *ledger.ChainID) (any, error) { c.PoseAs(id); return nil, nil }),
		"clear_faults": api.With0(func(_ *api.Session) (any, error) { c.ClearFaults(); return nil, nil }),
	})
}

// withDuration makes a method whose argument is a duration as text, such as
// "500ms" or "2s".
func withDuration(do func(time.Duration) error) api.Method {
	return api.With1(func(_ *api.Session, text string) (any, error) {
		length, err := parseDuration(text)
		if err != nil {
			return nil, err
		}
		return nil, do(length)
	})
}

func parseDuration(text string) (time.Duration, error) {
	length, err := time.ParseDuration(text)
	if err != nil || length < 0 {
		return 0, fmt.Errorf(`%q is not a duration; write it as text such as "500ms"`, text)
	}
	return length, nil
}

func (c *Controls) delayCall(_ *api.Session, method, text string) (any, error) {
	by, err := parseDuration(text)
	if err == nil {
		c.DelayMethod(method, by)
	}
	return nil, err
}

func (c *Controls) killCall(_ *api.Session, text string, lost uint32) (any, error) {
	away, err := parseDuration(text)
	if err != nil {
		return nil, err
	}
	return nil, c.Kill(away, int(min(lost, maxMined)))
}

func (c *Controls) mineCall(_ *api.Session, n uint32) (any, error) {
	if n > maxMined {
		return nil, fmt.Errorf("%d blocks at once are too many; ask for at most %d", n, maxMined)
	}
	ids := make([]ledger.BlockID, n)
	for i := range ids {
		var err error
		if ids[i], err = c.Mine(); err != nil {
			return nil, err
		}
	}
	return ids, nil
}

type forked struct {
	HeadBlockNumber uint32                 `json:"head_block_number"`
	Dropped         []ledger.TransactionID `json:"dropped"`
}

func (c *Controls) forkCall(_ *api.Session, blocks uint32, keep bool) (any, error) {
	dropped, err := c.Fork(int(blocks), keep)
	if err != nil {
		return nil, err
	}
	out := forked{Dropped: []ledger.TransactionID{}}
	for _, d := range dropped {
		out.Dropped = append(out.Dropped, d.ID)
	}
	c.chain.View(func(st *state.State) { out.HeadBlockNumber = st.Dynamic().HeadBlockNumber })
	return out, nil
}

type developerInfo struct {
	ChainID         ledger.ChainID `json:"chain_id"` // the real one
	Time            ledger.Time    `json:"time"`     // of the clock
	BlockTime       string         `json:"block_time"`
	HeadBlockNumber uint32         `json:"head_block_number"`
	HeadBlockTime   ledger.Time    `json:"head_block_time"`
	Final           uint32         `json:"final_block_number"` // the last one that was ever announced as irreversible; kills and restarts keep it
	Pending         int            `json:"pending"`
}

func (c *Controls) info() developerInfo {
	every, _ := c.pace.get()
	info := developerInfo{ChainID: c.chain.ID(), Time: ledger.TimeOf(c.clock.now()), BlockTime: every.String(), Pending: c.chain.Pending(),
		Final: c.chain.Final()}
	c.chain.View(func(st *state.State) {
		info.HeadBlockNumber, info.HeadBlockTime = st.Dynamic().HeadBlockNumber, st.HeadTime()
	})
	return info
}
