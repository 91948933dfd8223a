// The tools of make check are a module of their own, so that go.mod has what the program uses.
module billfold/internal/tools

go 1.26.0

toolchain go1.26.10

require (
	github.com/google/licensecheck v0.3.1
	github.com/nishanths/exhaustive v0.17.1
	github.com/polyfloyd/go-errorlint v1.8.0
	golang.org/x/tools v0.52.0
	honnef.co/go/tools v0.8.2
)

require (
	github.com/BurntSushi/toml v1.4.1-0.20240526193622-a339e1f7089c // indirect
	github.com/golangci/misspell v0.8.0 // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.49.0 // indirect
	golang.org/x/telemetry v0.0.0-20261009151841-97e8ea77aa2a // indirect
)

tool (
	github.com/golangci/misspell/cmd/misspell
	golang.org/x/tools/cmd/deadcode
)
