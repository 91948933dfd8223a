package state

import "billfold/ledger"

// BudgetRecord is the object 2.11.N: the budget that one maintenance made.
type BudgetRecord struct {
	ID     ledger.ObjectID `json:"id"`
	Time   ledger.Time     `json:"time"`
	Record Budget          `json:"record"`
}

// Budget is the source of the miners' pay, in smallest units of DCT.
type Budget struct {
	TimeSinceLastBudget     uint64      `json:"time_since_last_budget"` // seconds
	FromInitialReserve      int64       `json:"from_initial_reserve"`
	FromAccumulatedFees     int64       `json:"from_accumulated_fees"`
	PlannedForMining        int64       `json:"planned_for_mining"`
	GeneratedInLastInterval int64       `json:"generated_in_last_interval"`
	SupplyDelta             int64       `json:"supply_delta"`
	RealSupply              Supply      `json:"_real_supply"`
	NextMaintenanceTime     ledger.Time `json:"next_maintenance_time"`
	BlockInterval           uint8       `json:"block_interval"` // seconds
}

const typeBudgetRecord = 11

// Budgets are the objects 2.11.N.
type Budgets struct{ table[uint64, BudgetRecord] }

// Add inserts a budget, made at time now, under the next id.
func (b *Budgets) Add(now ledger.Time, budget Budget) {
	b.insert(&BudgetRecord{ID: ledger.NewObjectID(2, typeBudgetRecord, b.Next()), Time: now, Record: budget})
}
