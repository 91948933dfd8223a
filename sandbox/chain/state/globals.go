package state

import "billfold/ledger"

// ChainProperty is the object 2.9.0: the properties that never change on a chain.
type ChainProperty struct {
	ID                  ledger.ObjectID     `json:"id"`
	ChainID             ledger.ChainID      `json:"chain_id"`
	ImmutableParameters ImmutableParameters `json:"immutable_parameters"`
}

// ImmutableParameters are set by the genesis.
type ImmutableParameters struct {
	MinMinerCount      uint16 `json:"min_miner_count"`
	NumSpecialAccounts uint32 `json:"num_special_accounts"`
	NumSpecialAssets   uint32 `json:"num_special_assets"`
}

// Globals are the objects of which there is only one.
type Globals struct {
	properties ChainProperty
	global     cell[*ledger.GlobalProperties]
	dynamic    cell[*ledger.DynamicGlobalProperties]
}

func newGlobals(j *journal, o Origin) Globals {
	return Globals{
		properties: ChainProperty{ID: ledger.NewObjectID(2, 9, 0), ChainID: o.ChainID, ImmutableParameters: o.Immutable},
		global: cell[*ledger.GlobalProperties]{j, &ledger.GlobalProperties{
			ID: ledger.NewObjectID(2, 0, 0), Parameters: o.Parameters,
		}},
		dynamic: cell[*ledger.DynamicGlobalProperties]{j, &ledger.DynamicGlobalProperties{
			ID: ledger.NewObjectID(2, 1, 0), Time: o.Time, RecentSlotsFilled: "0",
		}},
	}
}

// Origin is the start of a chain, before there are any accounts.
type Origin struct {
	ChainID    ledger.ChainID
	Time       ledger.Time
	Parameters ledger.ChainParameters
	Immutable  ImmutableParameters
}

// Properties returns 2.9.0.
func (g *Globals) Properties() ChainProperty { return g.properties }

// Global returns 2.0.0.
func (g *Globals) Global() *ledger.GlobalProperties { return g.global.value }

// Dynamic returns 2.1.0.
func (g *Globals) Dynamic() *ledger.DynamicGlobalProperties { return g.dynamic.value }

// Parameters returns the parameters in force.
func (g *Globals) Parameters() *ledger.ChainParameters { return &g.global.value.Parameters }

// HeadTime returns the time of the head block.
func (g *Globals) HeadTime() ledger.Time { return g.dynamic.value.Time }

// ChangeGlobal changes 2.0.0.
func (g *Globals) ChangeGlobal(edit func(*ledger.GlobalProperties)) { changeCell(&g.global, edit) }

// ChangeDynamic changes 2.1.0.
func (g *Globals) ChangeDynamic(edit func(*ledger.DynamicGlobalProperties)) {
	changeCell(&g.dynamic, edit)
}
