package ledger

import "billfold/ledger/codec"

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

// NewAccountOptions returns the options of a new account: no proxy votes with its
// stake, and it votes for nobody yet.
func NewAccountOptions(memoKey PublicKey) AccountOptions {
	return AccountOptions{MemoKey: memoKey, VotingAccount: ProxyToSelf}
}

// SetDefaults sets the members whose default is not zero.
func (o *AccountOptions) SetDefaults() { o.VotingAccount = ProxyToSelf }

// PublishingRights are the rights to publish content that an account received from managers, and those that it granted as a manager.
type PublishingRights struct {
	IsPublishingManager bool        `json:"is_publishing_manager"`
	Received            []AccountID `json:"publishing_rights_received" fc:"set"`
	Forwarded           []AccountID `json:"publishing_rights_forwarded" fc:"set"`
}

// Account is the object 1.2.N (docs/protocol/interface.md, Account).
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
func (a Account) MarshalJSON() ([]byte, error) { return codec.Marshal(a) }

// UnmarshalJSON reads the object.
func (a *Account) UnmarshalJSON(data []byte) error { return codec.Unmarshal(data, a) }
