package daemonclient

import "strings"

const (
	testContent  = `{"id":"2.13.0","author":"1.2.17","URI":"ipfs:Qm","price":{"map_price":[[1,{"amount":2,"asset_id":"1.3.0"}]]},"size":1}`
	testFound    = `{"id":"2.13.0","author":"alice","URI":"ipfs:Qm","price":{"amount":2,"asset_id":"1.3.0"}}`
	testBuying   = `{"id":"2.12.0","consumer":"1.2.17","URI":"ipfs:Qm","price":{"amount":2,"asset_id":"1.3.0"}}`
	testSeeder   = `{"id":"2.14.0","seeder":"1.2.17","free_space":5,"region_code":"AT"}`
	testSubbed   = `{"id":"2.15.0","from":"1.2.17","to":"1.2.18","expiration":"2026-12-20T10:43:54","automatic_renewal":false}`
	testMessage  = `{"id":"2.18.1","created":"2026-01-01T00:00:00","sender":"1.2.17","receivers_data":[{"receiver":"1.2.18"}]}`
	olderMessage = `{"id":"2.18.0","created":"2026-01-01T00:00:00","sender":"1.2.17","receivers_data":[{"receiver":"1.2.18"}]}`
)

// but is text with one part replaced.
func but(text, old, now string) string { return strings.Replace(text, old, now, 1) }

// contentAnswers are the rows of answers about content, subscriptions and messages.
func contentAnswers() map[Set]map[string]answered {
	buyings := func(lies ...string) []string {
		return append(lies, `[`+testBuying+`,`+testBuying+`]`, `[`+but(testBuying, "2.12.0", "2.13.0")+`]`, `[{}]`, `[null]`, `null`)
	}
	stranger := `[` + but(testBuying, "1.2.17", "1.2.18") + `]`
	another := `[` + but(testBuying, "Qm", "Qn") + `]`
	seeders := []string{`[` + testSeeder + `,` + testSeeder + `]`, `[` + but(testSeeder, "1.2.17", "1.4.17") + `]`, `[{}]`, `[null]`,
		`null`}
	subscriptions := func(other string) []string {
		return []string{
			`[` + other + `]`, `[` + testSubbed + `,` + testSubbed + `]`, `[` + but(testSubbed, "2.15", "2.14") + `]`, `[{}]`, `null`,
		}
	}
	byConsumer := answered{`["1.2.17",2]`, `[` + testSubbed + `]`, subscriptions(but(testSubbed, "1.2.17", "1.2.19"))}
	byAuthor := answered{`["1.2.18",2]`, `[` + testSubbed + `]`, subscriptions(but(testSubbed, "1.2.18", "1.2.19"))}
	return map[Set]map[string]answered{
		Database: {
			"get_content": {`["ipfs:Qm"]`, testContent, []string{
				but(testContent, "Qm", "Qn"), but(testContent, "2.13", "2.12"), but(testContent, "1.2.17", "1.4.17"),
				but(testContent, ":2,", `:"x",`), `{}`, `[]`,
			}},
			"search_content": {`["","","alice","","0.0.0","",1]`, `[` + testFound + `]`, []string{
				`[` + but(testFound, "alice", "bobby") + `]`, `[` + but(testFound, "2.13", "2.12") + `]`,
				`[` + testFound + `,` + but(testFound, "Qm", "Qn") + `]`, `[` + but(testFound, "alice", "a b") + `]`, `[{}]`, `null`,
			}},
			"get_open_buyings":                       {`[]`, `[` + testBuying + `]`, buyings()},
			"get_open_buyings_by_URI":                {`["ipfs:Qm"]`, `[` + testBuying + `]`, buyings(another)},
			"get_open_buyings_by_consumer":           {`["1.2.17"]`, `[` + testBuying + `]`, buyings(stranger)},
			"get_buying_history_objects_by_consumer": {`["1.2.17"]`, `[` + testBuying + `]`, buyings(stranger)},
			"get_buying_objects_by_consumer": {
				`["1.2.17","","0.0.0","",1]`, `[` + testBuying + `]`,
				buyings(stranger, `[`+testBuying+`,`+but(testBuying, "2.12.0", "2.12.1")+`]`),
			},
			"get_buying_by_consumer_URI": {`["1.2.17","ipfs:Qm"]`, testBuying, []string{
				but(testBuying, "1.2.17", "1.2.18"), but(testBuying, "Qm", "Qn"), but(testBuying, "2.12", "2.13"), `{}`, `[]`,
			}},
			"search_feedback": {`["","ipfs:Qm","0.0.0",1]`, `[` + testBuying + `]`, buyings(another)},
			"get_seeder": {`["1.2.17"]`, testSeeder, []string{
				but(testSeeder, "1.2.17", "1.2.18"), but(testSeeder, ":5,", `:"x",`), `{}`, `[]`,
			}},
			"list_seeders_by_price":  {`[2]`, `[` + testSeeder + `]`, seeders},
			"list_seeders_by_upload": {`[2]`, `[` + testSeeder + `]`, seeders},
			"list_seeders_by_rating": {`[2]`, `[` + testSeeder + `]`, seeders},
			"list_seeders_by_region": {
				`["AT"]`, `[` + testSeeder + `]`, append(seeders, `[`+but(testSeeder, "AT", "DE")+`]`),
			},
			"list_subscriptions_by_consumer":        byConsumer,
			"list_active_subscriptions_by_consumer": byConsumer,
			"list_subscriptions_by_author":          byAuthor,
			"list_active_subscriptions_by_author":   byAuthor,
			"get_subscription": {`["2.15.0"]`, testSubbed, []string{
				but(testSubbed, "2.15.0", "2.15.1"), but(testSubbed, `"to":"1.2.18",`, ""), `{}`, `[]`,
			}},
		},
		Messaging: {"get_message_objects": {`["1.2.17","1.2.18",2]`, `[` + testMessage + `,` + olderMessage + `]`, []string{
			`[` + olderMessage + `,` + testMessage + `]`, `[` + testMessage + `,` + testMessage + `]`, `[` + but(testMessage, "1.2.17", "1.2.19") + `]`,
			`[` + but(testMessage, "1.2.18", "1.2.19") + `]`, `[` + but(testMessage, "2.18", "2.17") + `]`, `[{}]`, `null`,
		}}},
	}
}
