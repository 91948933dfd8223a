package ledger

import (
	"fmt"
	"strconv"
	"strings"
)

// AccountOptions are the settings of an account, in the reference's order.
type AccountOptions struct {
	MemoKey            PublicKey   `json:"memo_key"`
	VotingAccount      AccountID   `json:"voting_account"`
	NumMiner           uint16      `json:"num_miner"`
	Votes              []VoteID    `json:"votes" fc:"set"`
	Extensions         Extensions  `json:"extensions"`
	AllowSubscription  bool        `json:"allow_subscription"`
	PricePerSubscribe  AssetAmount `json:"price_per_subscribe"`
	SubscriptionPeriod uint32      `json:"subscription_period"` // days
}

// NewAccountOptions gives the options of a new account: it votes for itself
// and for nobody yet.
func NewAccountOptions(memoKey PublicKey) AccountOptions {
	return AccountOptions{MemoKey: memoKey, VotingAccount: ProxyToSelf}
}

func (o *AccountOptions) setDefaults() { o.VotingAccount = ProxyToSelf }

// PublishingRights say who may publish content for whom.
type PublishingRights struct {
	IsPublishingManager bool        `json:"is_publishing_manager"`
	Received            []AccountID `json:"publishing_rights_received" fc:"set"`
	Forwarded           []AccountID `json:"publishing_rights_forwarded" fc:"set"`
}

// Account is the object 1.2.N (INTERFACE.md, Account).
type Account struct {
	ID               AccountID           `json:"id"`
	Registrar        AccountID           `json:"registrar"`
	Name             string              `json:"name"`
	Owner            Authority           `json:"owner"`
	Active           Authority           `json:"active"`
	Options          AccountOptions      `json:"options"`
	RightsToPublish  PublishingRights    `json:"rights_to_publish"`
	Statistics       AccountStatisticsID `json:"statistics"`
	TopNControlFlags uint8               `json:"top_n_control_flags"`
}

// MarshalJSON writes the object as the node does.
func (a Account) MarshalJSON() ([]byte, error) { return Marshal(a) }

// UnmarshalJSON reads the object.
func (a *Account) UnmarshalJSON(data []byte) error { return Unmarshal(data, a) }

// VoteID names what can be voted for: instance<<8 | type. Its text is
// "type:instance"; only type 0, a miner, exists.
type VoteID uint32

// String gives "type:instance".
func (v VoteID) String() string { return fmt.Sprintf("%d:%d", uint8(v), v>>8) }

// ParseVoteID reads "type:instance".
func ParseVoteID(text string) (VoteID, error) {
	typ, instance, _ := strings.Cut(text, ":")
	t, err1 := strconv.ParseUint(typ, 10, 8)
	i, err2 := strconv.ParseUint(instance, 10, 24)
	if err1 != nil || err2 != nil {
		return 0, fmt.Errorf("%q is not a vote id: write it as type:instance, such as 0:5", clip(text))
	}
	return VoteID(i<<8 | t), nil
}

// MarshalJSON writes "type:instance".
func (v VoteID) MarshalJSON() ([]byte, error) { return v.appendJSON(nil), nil }

// UnmarshalJSON reads "type:instance".
func (v *VoteID) UnmarshalJSON(data []byte) error { return Unmarshal(data, v) }

func (v VoteID) appendJSON(b []byte) []byte { return appendString(b, v.String()) }

func (v *VoteID) parseJSON(p *parser) error {
	text, err := p.text()
	if err != nil {
		return err
	}
	*v, err = ParseVoteID(text)
	return err
}

func (v VoteID) pack(b []byte) ([]byte, error) { return appendUint32(b, uint32(v)), nil }

func (v *VoteID) unpack(r *reader) error {
	x, err := r.uint32()
	*v = VoteID(x)
	return err
}
