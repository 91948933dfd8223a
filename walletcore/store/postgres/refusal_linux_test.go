package postgres_test

import (
	"path/filepath"
	"strings"
	"testing"

	"billfold/walletcore/store"
	"billfold/walletcore/store/postgres"
	"billfold/walletcore/storetest"
)

// A database that is there and does not serve is told of by what is wrong with it, and as one whose keys stay good.
func TestWhyADatabaseDoesNotServeIsTold(t *testing.T) {
	c := storetest.Start(t)
	url := initialised(t, c)
	standby := c.Standby(false)
	c.Admin("CREATE ROLE poor LOGIN", "CREATE ROLE barred LOGIN CONNECTION LIMIT 0")
	for why, address := range map[string]string{
		`it has no database "poor"`:             strings.Replace(strings.Replace(url, "/"+c.Name(url), "", 1), "billfold@", "poor@", 1),
		`it has no database "walet"`:            strings.Replace(url, "/"+c.Name(url), "/walet", 1) + " \n",
		`it does not let the user "nobody" in`:  strings.Replace(url, "billfold@", "nobody@", 1),
		`the user "poor" may not use it`:        strings.Replace(url, "billfold@", "poor@", 1),
		`it has no connection left`:             strings.Replace(url, "billfold@", "barred@", 1),
		`does not answer: failed to connect to`: "postgres://billfold@127.0.0.1:1/wallet?sslmode=disable",
		`it takes no encrypted connections`:     strings.Replace(url, "sslmode=disable", "sslmode=verify-full", 1),
		`it is a standby`:                       strings.Replace(url, c.Address(), standby.Address(), 1),
	} {
		folder := filepath.Join(t.TempDir(), "made", "by itself")
		o := postgres.Options{Folder: folder, MayLose: true, Lease: lease}
		s, err := o.Open(t.Context(), address)
		if err == nil {
			_ = s.Close()
		}
		if !store.IsAway(err) || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", address, err)
		}
		if _, err := o.OpenReadOnly(t.Context(), address); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: to look at it: %v", address, err)
		}
		if err := o.Init(t.Context(), address, store.NewID(), nil); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: to make it: %v", address, err)
		}
	}
	err := postgres.Options{MayLose: true}.Init(t.Context(), url+"&search_path=nowhere", store.NewID(), nil)
	if err == nil || !strings.Contains(err.Error(), "has no schema where the address") {
		t.Error(err)
	}
}
