package ledgerview

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"math/bits"
	"strconv"

	"billfold/ledger"
	"billfold/walletcore/fault"
)

// Info is the result of the info operation. Its two times are English text.
type Info struct {
	HeadBlockNum        uint32           `json:"head_block_num"`
	HeadBlockID         ledger.BlockID   `json:"head_block_id"`
	HeadBlockAge        string           `json:"head_block_age"`
	NextMaintenanceTime string           `json:"next_maintenance_time"`
	ChainID             ledger.ChainID   `json:"chain_id"`
	Participation       string           `json:"participation"` // percent with 17 decimals
	ActiveMiners        []ledger.MinerID `json:"active_miners"`
	NotReady            *string          `json:"not_ready,omitempty"` // why the ledger cannot be relied on now
}

// Info sums up the chain (docs/protocol/wallet-api.md 4.1).
func (c *Chain) Info(ctx context.Context) (Info, error) {
	ctx, stop := c.WhileAnswered(ctx)
	defer stop()
	props, err := c.Parameters(ctx)
	if err != nil {
		return Info{}, err
	}
	dyn, err := c.Head(ctx)
	if err != nil {
		return Info{}, err
	}
	now := ledger.TimeOf(c.cache.now())
	answer := Info{
		HeadBlockNum: dyn.HeadBlockNumber, HeadBlockID: dyn.HeadBlockID,
		HeadBlockAge: relativeTime(dyn.Time, now, " old"), NextMaintenanceTime: relativeTime(dyn.NextMaintenanceTime, now, " ago"),
		ChainID: c.daemon.Status().ChainID, Participation: participation(dyn.RecentSlotsFilled), ActiveMiners: props.ActiveMiners,
	}
	if why := c.NotReady(); why != "" {
		answer.NotReady = &why
	}
	return answer, nil
}

// participation returns 100 × filled slots / 128 with 17 decimals, which are exact
// because 128 is a power of two.
func participation(slots string) string {
	n, ok := new(big.Int).SetString(slots, 10)
	if !ok {
		n = new(big.Int)
	}
	filled := 0
	for _, word := range n.Bits() {
		filled += bits.OnesCount(uint(word))
	}
	hundredths := filled * 100
	const oneOf128 = 10_000_000 / 128
	return fmt.Sprintf("%d.%07d0000000000", hundredths/128, hundredths%128*oneOf128)
}

// relativeTime returns a time relative to now in the reference's wording (docs/protocol/wallet-api.md 7).
func relativeTime(t, now ledger.Time, past string) string {
	seconds, ending := int64(now)-int64(t), past
	if seconds < 0 {
		seconds, ending = -seconds, " in the future"
	}
	return span(seconds) + ending
}

func span(seconds int64) string {
	minutes := (seconds + 30) / 60
	hours := (minutes + 30) / 60
	days := (hours + 12) / 24
	weeks := (days + 3) / 7
	switch {
	case seconds < 90:
		return plural(seconds, "second")
	case minutes < 90:
		return plural(minutes, "minute")
	case hours < 90:
		return plural(hours, "hour")
	case days < 90:
		return plural(days, "day")
	case weeks < 70:
		return plural(weeks, "week")
	}
	months := (days + 15) / 30
	return plural(days/365, "year") + plural(months%12, "month")
}

func plural(n int64, unit string) string {
	if n > 1 {
		unit += "s"
	}
	return strconv.FormatInt(n, 10) + " " + unit
}

// About holds the versions of daemon and wallet.
type About struct {
	DaemonInfo json.RawMessage `json:"daemon_info"`
	WalletInfo Versions        `json:"wallet_info"`
}

// Versions has the members that the reference returns. The libraries named there are
// not used here.
type Versions struct {
	Version         string `json:"version"`
	BoostVersion    string `json:"boost_version"`
	OpensslVersion  string `json:"openssl_version"`
	CryptoppVersion string `json:"cryptopp_version"`
	Build           string `json:"build"`
}

// About asks the daemon for its versions and adds the wallet's.
func (c *Chain) About(ctx context.Context, own Versions) (About, error) {
	daemon, err := c.daemon.About(ctx)
	if err != nil {
		return About{}, fault.Daemon("asking the daemon's version", err)
	}
	return About{daemon, own}, nil
}
