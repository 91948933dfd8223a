package settings

// The groups, in the order of the page.
const (
	groupLook     = "Look"
	groupLock     = "Lock"
	groupPayments = "Payments"
	groupNode     = "Node"
	groupPrograms = "Programs (RPC)"
	groupFiles    = "Files and folders"
	groupService  = "Running as a service"
)

// Groups returns the groups of the settings, in order.
func Groups() []string {
	return []string{groupLook, groupLock, groupPayments, groupNode, groupPrograms, groupFiles, groupService}
}

// named holds a person's name for a setting, and the group in which it is looked for.
type named struct{ title, group string }

func names() map[string]named {
	return map[string]named{
		"theme":        {"Theme", groupLook},
		"color":        {"Number of colours", groupLook},
		"ascii":        {"Plain ASCII signs", groupLook},
		"motion":       {"Motion", groupLook},
		"hide-amounts": {"Start with amounts hidden", groupLook},
		"time":         {"Time zone", groupLook},
		"linear":       {"Lines instead of a screen", groupLook},

		"lock-after":  {"Lock after", groupLock},
		"unlock-from": {"Unlock from", groupLock},

		"max-fee": {"Highest fee", groupPayments},
		"sandbox": {"Play money", groupPayments},

		"daemon-url":           {"Nodes", groupNode},
		"daemon-quorum":        {"Nodes that must agree", groupNode},
		"daemon-ca":            {"Certificate authority", groupNode},
		"daemon-fingerprint":   {"Certificate fingerprint", groupNode},
		"daemon-user":          {"User name", groupNode},
		"daemon-password-file": {"File with the password", groupNode},
		"chain-id":             {"Chain", groupNode},

		"rpc-http":                   {"HTTP address", groupPrograms},
		"rpc-ws":                     {"Websocket address", groupPrograms},
		"rpc-socket":                 {"Socket file", groupPrograms},
		"rpc-socket-group":           {"Group of the socket file", groupPrograms},
		"rpc-allow-host":             {"Host names", groupPrograms},
		"rpc-allow-origin":           {"Web pages that may call", groupPrograms},
		"rpc-insist-beyond-loopback": {"Other machines without TLS", groupPrograms},
		"rpc-auth":                   {"Who may call", groupPrograms},
		"rpc-spends":                 {"Payments by programs", groupPrograms},
		"rpc-changed-keys":           {"Payments to changed keys", groupPrograms},
		"rpc-keys":                   {"Key export by programs", groupPrograms},
		"rpc-tls":                    {"TLS", groupPrograms},
		"rpc-tls-cert":               {"TLS certificate", groupPrograms},
		"rpc-tls-key":                {"TLS key", groupPrograms},
		"rpc-client-ca":              {"Authority of clients", groupPrograms},

		"data-dir":      {"Wallet folder", groupFiles},
		"index-dir":     {"History index folder", groupFiles},
		"packages-path": {"Content packages folder", groupFiles},
		"content-dir":   {"Folders with content to sell", groupFiles},
		"ipfs-api":      {"IPFS address", groupFiles},
		"trust-group":   {"Group that may read them", groupFiles},

		"tui":            {"Screen beside the listeners", groupService},
		"store":          {"Database", groupService},
		"store-may-lose": {"Database that may lose", groupService},
		"server-name":    {"Name of this server", groupService},
		"log-level":      {"Log detail", groupService},
		"log-format":     {"Log format", groupService},
		"metrics":        {"Metrics address", groupService},
	}
}

// NameOf returns what a person calls a setting and the group it is in; its own name, among those of a service, for one that has no other.
func NameOf(name string) (title, group string) {
	if n, known := names()[name]; known {
		return n.title, n.group
	}
	return name, groupService
}

// title returns what a person calls the setting.
func (s Setting) title() string {
	title, _ := NameOf(s.Name)
	return title
}

// word returns a value as a person says it.
func (s Setting) word(value string) string {
	if len(s.Choices) == 2 && s.Choices[0] == "false" && s.Choices[1] == "true" {
		switch value {
		case "true":
			return "on"
		case "false":
			return "off"
		}
	}
	return value
}

// choiceWords returns the values to choose from, as a person says them.
func (s Setting) choiceWords() (out []string) {
	for _, value := range s.Choices {
		out = append(out, s.word(value))
	}
	return out
}
