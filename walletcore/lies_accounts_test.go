package walletcore_test

import "strings"

// attacker is an account that nobody in a scene pays. The attacker has its key.
const attacker = "art-guild"

// accountLies returns the lies about accounts.
func accountLies() []lie {
	return []lie{
		{name: "other-id", says: "the recipient's name with a stranger's id", must: asAsked, tell: func(s *scene) teller {
			return account("carol", set("id", s.rawAccount(attacker)["id"]))(s)
		}},
		{
			name: "other-account",
			says: "a stranger's account whatever the recipient is asked by",
			must: asAsked,
			tell: func(s *scene) teller {
				return account("carol", instead(s.rawAccount(attacker)))(s)
			},
		},
		{
			name: "other-name", says: "the recipient's id under a stranger's name", must: asAsked,
			tell: account("carol", set("name", attacker)),
		},
		{name: "everybody-other", says: "one stranger for every account", must: asAsked, tell: func(s *scene) teller {
			return accounts(instead(s.rawAccount(attacker)))(s)
		}},
		{name: "sender-other", says: "another account of the wallet for the sender", must: refused, tell: func(s *scene) teller {
			return account("alice", instead(s.rawAccount("bobby")))(s)
		}},
		{name: "sender-id", says: "the sender's name with another id of the wallet", must: refused, tell: func(s *scene) teller {
			return account("alice", set("id", s.rawAccount("bobby")["id"]))(s)
		}},
		{name: "memo-key", says: "another memo key for everybody", must: asAsked, tell: accounts(within("options", "memo_key", key("art-guild").Public().String()))},
		{name: "memo-key-recipient", says: "another memo key for the recipient", must: asAsked, tell: account("carol", within("options", "memo_key", key("art-guild").Public().String()))},
		{name: "memo-key-odd", says: "a memo key that is on no curve", must: asAsked, tell: accounts(within("options", "memo_key", "DCT1111111111111111111111111111111114T1Anm"))},
		{name: "memo-key-text", says: "a memo key that is no key", must: asAsked, tell: accounts(within("options", "memo_key", "\u001b[31mkey"))},
		{name: "authority-other", says: "a stranger's key as everybody's authority", must: asAsked, tell: accounts(bothEdits(set("active", keyAuthority("art-guild", 1)), set("owner", keyAuthority("art-guild", 1))))},
		{name: "authority-none", says: "authorities that need nobody", must: asAsked, tell: accounts(set("active", object{"weight_threshold": 0, "account_auths": []any{}, "key_auths": []any{}}))},
		{name: "authority-circle", says: "authorities that name each other in a circle", must: asAsked, tell: func(s *scene) teller {
			ids := []any{}
			for _, name := range []string{"alice", "bobby", "carol", "merchant-7", attacker} {
				ids = append(ids, []any{s.rawAccount(name)["id"], 1})
			}
			return accounts(set("active", object{"weight_threshold": 1, "account_auths": ids, "key_auths": []any{}}))(s)
		}},
		{name: "authority-wide", says: "an authority of 20,000 accounts", must: asAsked, tell: accounts(set("active", wideAuthority(20_000)))},
		{name: "name-escape", says: "names with terminal escapes", must: asAsked, tell: accounts(set("name", "carol\u001b[2J\u009b31m"))},
		{name: "name-bidi", says: "names with direction marks", must: asAsked, tell: accounts(set("name", "carol\u202e7-tnahcrem\u200b"))},
		{name: "name-homoglyph", says: "a name with a letter of another alphabet", must: asAsked, tell: account("carol", set("name", "c\u0430rol"))},
		{name: "name-upper", says: "names in capitals", must: asAsked, tell: account("carol", set("name", "CAROL"))},
		{name: "name-empty", says: "accounts without a name", must: asAsked, tell: accounts(set("name", ""))},
		{name: "name-long", says: "names of 100,000 letters", must: asAsked, tell: accounts(set("name", strings.Repeat("carol", 20_000)))},
		{name: "name-number", says: "numbers for names", must: asAsked, tell: accounts(set("name", 17))},
		{name: "id-asset", says: "ids of assets for accounts", must: asAsked, tell: accounts(set("id", "1.3.17"))},
		{name: "id-huge", says: "ids beyond any number", must: asAsked, tell: accounts(set("id", "1.2.99999999999999999999999999"))},
		{name: "accounts-null", says: "nobody exists", must: asAsked, tell: accounts(instead(nil))},
		{name: "accounts-none", says: "an empty list", must: asAsked, tell: answered("[]", "get_accounts", "lookup_account_names", "lookup_accounts")},
		{name: "accounts-twice", says: "every answer twice", must: asAsked, tell: change(func(_ *question, v any) any {
			list, _ := v.([]any)
			return append(list, list...)
		}, "get_accounts", "lookup_account_names", "get_assets", "lookup_asset_symbols", "get_objects")},
		{name: "accounts-reversed", says: "lists in another order than asked", must: asAsked, tell: change(func(_ *question, v any) any {
			list, _ := v.([]any)
			for i, j := 0, len(list)-1; i < j; i, j = i+1, j-1 {
				list[i], list[j] = list[j], list[i]
			}
			return list
		}, "get_accounts", "lookup_account_names", "get_assets", "lookup_asset_symbols", "get_objects")},
		{name: "accounts-bare", says: "accounts without options", must: asAsked, tell: accounts(func(a object) any {
			delete(a, "options")
			return a
		})},
		{name: "accounts-object", says: "an object where a list is asked for", must: asAsked, tell: answered(`{"id":"1.2.17"}`, "get_accounts", "lookup_account_names")},
		{name: "names-others", says: "names nobody asked for, 5,000 of them", must: passes, tell: change(func(_ *question, _ any) any {
			list := []any{}
			for range 5_000 {
				list = append(list, []any{"ca\u001b[7m", "1.2.5"})
			}
			return list
		}, "lookup_accounts")},
	}
}

// bothEdits makes two changes.
func bothEdits(a, b func(object) any) func(object) any {
	return func(o object) any {
		a(o)
		return b(o)
	}
}

func keyAuthority(name string, threshold int) object {
	return object{"weight_threshold": threshold, "account_auths": []any{}, "key_auths": []any{[]any{key(name).Public().String(), 1}}}
}

func wideAuthority(n int) object {
	list := make([]any, n)
	for i := range list {
		list[i] = []any{"1.2." + itoa(1000+i), 1}
	}
	return object{"weight_threshold": 1, "account_auths": list, "key_auths": []any{}}
}

// keyLies returns the lies about which keys belong to whom.
func keyLies() []lie {
	return []lie{
		{name: "key-references", says: "a stranger is the account of my key", must: asAsked, first: true, tell: func(s *scene) teller {
			id := s.rawAccount(attacker)["id"]
			return change(func(_ *question, v any) any {
				list, _ := v.([]any)
				for i := range list {
					list[i] = []any{id}
				}
				return list
			}, "get_key_references")(s)
		}},
		{
			name:  "key-references-many",
			says:  "my key belongs to 50,000 accounts",
			must:  asAsked,
			first: true,
			tell: change(func(_ *question, v any) any {
				many := make([]any, 50_000)
				for i := range many {
					many[i] = "1.2." + itoa(i)
				}
				list, _ := v.([]any)
				for i := range list {
					list[i] = many
				}
				return list
			}, "get_key_references"),
		},
		{
			name:  "import-other",
			says:  "at the import, a stranger's account under the asked name",
			must:  asAsked,
			first: true,
			tell: func(s *scene) teller {
				return account("alice", instead(s.rawAccount(attacker)))(s)
			},
		},
		{
			name:  "import-other-id",
			says:  "from first sight on, a stranger for a recipient asked by id",
			must:  asAsked,
			first: true,
			tell: func(s *scene) teller {
				id := s.rawAccount(attacker)["id"] // a lie by name could not be detected: docs/design/011-lies.md
				return change(func(_ *question, v any) any {
					return each(v, func(a object) any {
						if a["name"] == "carol" {
							a["id"] = id
						}
						return a
					}, "registrar", "options")
				}, "get_accounts")(s)
			},
		},
	}
}
