package state

import "billfold/ledger"

const (
	typeSeeder         = 14
	typeSeederActivity = 16
)

// SeederActivity is the object 2.16.N: what a seeder has done so far.
type SeederActivity struct {
	ID                  ledger.ObjectID  `json:"id"`
	Seeder              ledger.AccountID `json:"seeder"`
	TotalUpload         uint64           `json:"total_upload"` // bytes, as buyers reported them
	TotalDeliveredKeys  uint32           `json:"total_delivered_keys"`
	MissedDeliveredKeys uint32           `json:"missed_delivered_keys"`
	NumOfContentSeeded  uint32           `json:"num_of_content_seeded"`
	NumOfPors           uint32           `json:"num_of_pors"` // proofs of custody after the first of each content
}

// Seeders are the objects 2.14.N with their activity 2.16.N, one for each account.
type Seeders struct {
	table[uint64, ledger.Seeder]
	activity  table[uint64, SeederActivity]
	byAccount index[ledger.AccountID, uint64]
}

func newSeeders(j *journal) Seeders {
	s := Seeders{byAccount: newIndex[ledger.AccountID, uint64](j)}
	s.table.j, s.activity.j = j, j
	return s
}

// Of returns the seeder of an account, or nil.
func (s *Seeders) Of(account ledger.AccountID) *ledger.Seeder {
	if n, ok := s.byAccount.find(account); ok {
		return s.Get(n)
	}
	return nil
}

// Activity returns what the seeder of an account has done, or nil.
func (s *Seeders) Activity(account ledger.AccountID) *SeederActivity {
	if n, ok := s.byAccount.find(account); ok {
		return s.activity.Get(n)
	}
	return nil
}

// Add inserts a seeder under the next id, and returns the id of its activity.
func (s *Seeders) Add(seeder ledger.Seeder) ledger.ObjectID {
	n := s.Next()
	seeder.ID, seeder.Stats = ledger.NewObjectID(2, typeSeeder, n), ledger.NewObjectID(2, typeSeederActivity, n)
	s.insert(&seeder)
	s.activity.insert(&SeederActivity{ID: seeder.Stats, Seeder: seeder.Seeder})
	s.byAccount.set(seeder.Seeder, n)
	return seeder.Stats
}

// ChangeOf changes the seeder of an account, which exists.
func (s *Seeders) ChangeOf(account ledger.AccountID, edit func(*ledger.Seeder)) {
	n, _ := s.byAccount.find(account)
	s.Change(n, edit)
}

// ChangeActivity changes the activity of the seeder of an account, if there is one.
func (s *Seeders) ChangeActivity(account ledger.AccountID, edit func(*SeederActivity)) {
	if n, ok := s.byAccount.find(account); ok {
		s.activity.Change(n, edit)
	}
}
