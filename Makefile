# What a person repeats. Tools are pinned in internal/tools/go.mod; nothing needs to be installed but Go.

GO ?= go
# Nothing here is written in C, and a test binary links a tenth faster without it. The race detector needs it.
export CGO_ENABLED := 0
FUZZ_RPC_TIME := $(or $(FUZZTIME),10m)
FUZZTIME ?= 2m
CRASHES ?= 10000
PAYOUT ?= 10000
CONTENT_KILLS ?= 200
PAYMENTS ?= 100000
CHANGES ?= 2000
LIES ?= 10000
SERVERS_ORDERS ?= 50000
FAILOVERS ?= 50

.PHONY: run test race check static docs golden fuzz fuzz-rpc soak bench conformance pictures layouts dcorejs ipfs properties load crash payments changes payout content-kills content-memory postgres stories servers lies clients figures walk checklist audit formatting lint deadcode spelling modules licences house measure example release systems reproduce install-check day

run: ## the wallet on the embedded ledger
	$(GO) run ./cmd/billfold --sandbox

# Some tests wait for clocks and other processes: twice as many packages as processors keep the processors busy. Less garbage
# collection spares a sixth of what tests take, and check runs all of vet. .ci/run does the same.
SUITE := GOGC=400 $(GO) test -vet=off -p $(shell expr 2 '*' $$(getconf _NPROCESSORS_ONLN)) -timeout 5m

# What waits most comes first, and does not keep the others waiting at the end.
PATIENT := ./walletcore/payment ./cmd/billfold ./walletcore ./rpcserver ./daemonclient

test: ## the suite without make postgres and make stories; SUITEFLAGS=-count=1 runs what has not changed as well
	$(SUITE) $(SUITEFLAGS) $(PATIENT) ./...

# The race detector makes all that it watches ten times as slow. It does not watch two packages of others that compute and share
# nothing: the arithmetic of keys, and SQLite as it was translated from C. Nor does it wait a second at the end of each package.
UNWATCHED := -gcflags=github.com/decred/dcrd/dcrec/secp256k1/v4/...=-race=false -gcflags=modernc.org/sqlite/lib=-race=false

race: export CGO_ENABLED := 1
race: export GORACE := atexit_sleep_ms=0
race: export GOMAXPROCS := $(shell getconf _NPROCESSORS_ONLN)
race: ## the same with the race detector
	$(SUITE) -race $(UNWATCHED) $(SUITEFLAGS) ./...

check: static ## formatting, linters, dead code, module files, import directions, the rules of the house
	$(GO) test -count=1 -run 'TestImportDirections|TestSettingsDocsAreFresh|TestMigrationDocsAreFresh|TestFiguresDocsAreFresh|TestDocsAreFresh' ./cmd/billfold ./walletcore/walletapi

# static is check without the three tests that the suite has as well: what .ci/run does behind the suite. Most of these use one
# processor for most of their time.
static: export GOGC := 400
static: ## check without the tests that the suite has as well; WITHOUT=example leaves a part out
	@$(MAKE) --no-print-directory -j2 $(filter-out $(WITHOUT),example formatting lint deadcode spelling modules licences house)

formatting:
	@test -z "$$(gofmt -l .)" || { echo "not formatted:"; gofmt -l .; exit 1; }

# TOOL builds a package of the tools' own module into a folder that is there for one recipe, as $$tool/$(1).
TOOL = tool=$$(mktemp -d) && trap 'rm -rf "$$tool"' EXIT && $(GO) -C internal/tools build -trimpath -buildvcs=false -o $$tool/$(1) $(2)

# lint has go vet's own analyzers as well. go vet keeps what a tool found for as long as the tool is the same, so tools are built
# without path and commit in them.
lint:
	@$(call TOOL,lint,./lint) && $(GO) vet -vettool=$$tool/lint ./... && $(GO) -C internal/tools vet -vettool=$$tool/lint ./... && \
		$(GO) -C internal/tools test ./...

# deadcode reads every package that the tests need, and spends a fifth of its time on garbage at the usual GOGC.
deadcode:
	@$(call TOOL,deadcode,golang.org/x/tools/cmd/deadcode) && dead="$$($$tool/deadcode -test ./...)"; \
		test -z "$$dead" || { echo "nothing calls:"; echo "$$dead"; exit 1; }

spelling:
	@$(call TOOL,misspell,github.com/golangci/misspell/cmd/misspell) && \
		$$tool/misspell -error $$(find . -name testdata -prune -o \( -name '*.go' -o -name '*.md' \) -print)

modules:
	$(GO) mod verify
	$(GO) mod tidy -diff
	$(GO) -C internal/tools mod verify
	$(GO) -C internal/tools mod tidy -diff

house:
	$(GO) run ./internal/house

# Every linked module has a licence that a release may carry, and the bill of materials is whole.
licences:
	@$(call TOOL,release,./release) && $$tool/release -licences

# The packager is pinned in a file of its own: it needs a hundred modules that make check does not.
RELEASE = $(call TOOL,release,./release) && $(GO) -C internal/tools build -modfile=nfpm.mod -trimpath -o $$tool/nfpm github.com/goreleaser/nfpm/v2/cmd/nfpm && \
	$$tool/release -nfpm $$tool/nfpm -version "$(VERSION)" $(and $(SYSTEMS),-systems $(SYSTEMS)) $(and $(MAINTAINER),-maintainer "$(MAINTAINER)")
DIST ?= dist

release: audit systems ## dist/: programs for six systems, packages, licences, sums and bill of materials of VERSION=1.0.0, or of the commit's tag
	@$(RELEASE) -out $(DIST)

systems: ## compiles and vets everything, tests too, for Linux, macOS and Windows
	@for system in linux darwin windows; do echo "$$system" && GOOS=$$system $(GO) vet ./... || exit 1; done

# The second one is compiled anew, from a clone in a folder with a longer name.
reproduce: ## makes a release of SYSTEMS (linux/amd64) twice, in two folders, and compares the bytes
	@folder=$$(mktemp -d) && trap 'chmod -R u+w "$$folder"; rm -rf "$$folder"' EXIT && git clone -q . $$folder/a-folder-with-another-name && \
		$(MAKE) --no-print-directory reproduced FOLDER=$$folder SYSTEMS=$(or $(SYSTEMS),linux/amd64) VERSION=$(or $(VERSION),$(shell git tag --points-at HEAD --list 'v*' | sed s/^v//),0.0.0-reproduced)

.PHONY: reproduced
reproduced:
	@($(RELEASE) -out $(FOLDER)/first > /dev/null)
	@cd $(FOLDER)/a-folder-with-another-name && export GOCACHE=$(FOLDER)/cache && ($(RELEASE) -out $(FOLDER)/second > /dev/null)
	@cd $(FOLDER)/first && sha256sum * && cd ../second && diff ../first/SHA256SUMS SHA256SUMS && sha256sum --quiet -c SHA256SUMS && echo "the same, byte for byte"

install-check: ## looks at the packages in dist: unit, manual, completions; lintian and rpm where they are installed
	@packaging/check $(DIST)

day: ## an operator's day with the package of this commit, installed into a folder, upgraded to a next version and taken back
	@root=$$(mktemp -d) && trap 'rm -rf "$$root"' EXIT && for version in 0.0.1 0.0.2; do \
		$(MAKE) --no-print-directory packaged VERSION=$$version SYSTEMS=linux/$$($(GO) env GOARCH) DIST=$$root/dist-$$version && \
		dpkg-deb -x $$root/dist-$$version/billfold_*.deb $$root/$$version || exit 1; done && \
		DAY_ROOT=$$root/0.0.1 DAY_NEXT_ROOT=$$root/0.0.2 STORIES=all $(GO) test -count=1 -v -timeout 5m -run '^TestAnOperatorsDay$$' ./cmd/billfold

packaged:
	@$(RELEASE) -out $(DIST)

# What is known of faults is a module, which comes through the module proxy like any other. VULNDB=v0.0.0-… names one that is in
# the module cache already, and then nothing is fetched.
VULNDB ?= latest
GOVULNCHECK ?= v1.9.0

audit: ## known faults that this program reaches in the Go that builds it here and in what is linked; needs the module proxy only
	@$(GO) version && $(GO) mod download golang.org/x/vulndb@$(VULNDB) && folder=$$(mktemp -d) && \
		$(GO) run golang.org/x/vulndb/cmd/indexdb@$(VULNDB) -out $$folder \
			-vulns "$$($(GO) list -m -f '{{.Dir}}' golang.org/x/vulndb@$(VULNDB))/data/osv" && \
		$(GO) run golang.org/x/vuln/cmd/govulncheck@$(GOVULNCHECK) -db file://$$folder ./...; \
		status=$$?; rm -rf "$$folder"; exit $$status

measure: ## the size and shape of the product, to look at
	$(GO) run ./internal/house -yardsticks

example:
	EXAMPLE=1 $(GO) test -count=1 -run '^TestExample' ./internal/house

docs: ## rewrite docs/rpc and the tables of docs/settings.md, docs/migrate.md and docs/operate.md
	$(GO) test -count=1 -run TestDocsAreFresh ./walletcore/walletapi -update
	$(GO) test -count=1 -run 'TestSettingsDocsAreFresh|TestMigrationDocsAreFresh|TestFiguresDocsAreFresh' ./cmd/billfold -update

golden: ## redraw the golden screens; look at the difference before committing
	GOLDEN=update $(GO) test ./tui/...

pictures: ## redraw the README's screens, from the program
	GOLDEN=update $(GO) test -count=1 -run '^TestPicturesAreOfThisProgram$$' ./tui

layouts: ## draw every page at every size from 40×12 to 240×70
	LAYOUTS=all $(GO) test -count=1 -timeout 30m -run '^TestNumbersAreWholeAtEverySize$$' ./tui

fuzz: ## every fuzz target for FUZZTIME
	@for package in $$($(GO) list ./...); do \
		for target in $$($(GO) test -list '^Fuzz' $$package | grep '^Fuzz'); do \
			echo "$$package $$target"; \
			$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$package || exit 1; \
		done; \
	done

fuzz-rpc: ## hostile requests and frames against a listening server, each transport for FUZZTIME (10m)
	@for target in FuzzHTTP FuzzWebsocket; do \
		$(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZ_RPC_TIME) -fuzzminimizetime 2s ./rpcserver || exit 1; \
	done

soak: ## a wallet under 1,000 idle, 64 busy, 8 paying and 16 deaf clients for SOAKTIME (10m): latency, memory, goroutines
	SOAKTIME=$(or $(SOAKTIME),10m) $(GO) test -count=1 -timeout 0 -v -run '^TestSoak$$' ./cmd/billfold

ifdef NODE
bench: ## NODE=ws://… PAYER_KEY=FILE REFERENCE=http://…: what callers get from that node, next to a reference wallet on it
	SPEED=1 $(GO) test -count=1 -timeout 20m -v -run '^TestNodeSpeed$$' ./cmd/billfold
else
bench: ## the parts, then tables of what callers wait for, each row next to its limit in the same run
	$(GO) test -run '^$$' -bench . -benchmem ./ledger ./content/... ./daemonclient ./walletcore ./walletcore/payment ./rpcserver
	@status=0; export SPEED=1; speed() { $(GO) test -count=1 -timeout 20m -v -run "$$1" "$$2" || status=1; }; \
		speed '^Test(Node|Many)?Speed$$' ./cmd/billfold; \
		speed '^TestUISpeed$$' ./tui/page/history; \
		STORETEST_POSTGRES=must speed '^TestStoreSpeed$$' ./walletcore/payment; exit $$status # a limit that was not reached hides no other table
endif

conformance: ## replay the recorded conversations with the reference wallet, and with its node
	$(GO) test -count=1 -v -run TestConformance ./rpcserver
	$(GO) test -count=1 -v -run TestDaemonConformance ./sandbox

crash: ## power cuts, kills and faults of the disk while keys are saved; CRASH_SEED=… repeats one trial
	CRASH_TRIALS=$(if $(CRASH_SEED),1,$(CRASHES)) $(GO) test -count=1 -timeout 60m -v -run '^TestCrash$$' ./keystore

payments: ## 100,000 payments while wallet, daemon and lines fail; PAYMENTS_SEED=… repeats a storm
	PAYMENTS_TRIALS=$(PAYMENTS) $(GO) test -count=1 -timeout 120m -v -run '^TestPayments$$' ./walletcore/payment

changes: ## 2,000 random changes of accounts, assets, tokens and miners by several at once, each in one process, two on a folder and two servers; CHANGES_SEED=… repeats
	STORETEST_POSTGRES=must CHANGES=$(CHANGES) $(GO) test -count=1 -timeout 60m -v -run '^TestChangesAreNotUndoneByOthers$$' ./walletcore/payment

content-kills: ## publishing and buying of content is killed 200 times at random; CONTENT_SEED=… repeats a run, CONTENT_KILLS=20 is short
	STORIES=all CONTENT_KILLS=$(CONTENT_KILLS) CONTENT_SEED=$(CONTENT_SEED) $(GO) test -count=1 -timeout 60m -v -run '^TestContentByCommandsThatAreKilled$$' ./cmd/billfold

content-memory: ## the most memory in which content of 1 MiB, 64 MiB and CONTENT_MEMORY (4096) MiB is packed, signed and extracted; takes 4 GiB of disk and some minutes
	CONTENT_MEMORY=$(or $(CONTENT_MEMORY),4096) $(GO) test -count=1 -timeout 30m -v -run '^TestMemoryOfLargeContent$$' ./walletcore

payout: ## a payout of 10,000 rows, killed at random, is paid exactly; PAYOUT_SEED=… repeats one, PAYOUT=500 makes a short one
	PAYOUT_ROWS=$(PAYOUT) $(GO) test -count=1 -timeout 60m -v -run '^TestAPayoutThatIsKilledIsPaidExactly$$' ./cmd/billfold

# What needs a PostgreSQL, and what is beside it in the same packages.
POSTGRES := ./walletcore/store/... ./walletcore/payment ./rpcserver/auth/token

postgres: ## the tests that start a PostgreSQL, which make test leaves out; a short storm of make servers among them
	STORETEST_POSTGRES=must $(GO) test -count=1 -timeout 20m $(POSTGRES)
	STORETEST_POSTGRES=must $(GO) test -count=1 -timeout 20m -run 'Test(Servers|ASharedStore|AStore|AServer|AStandby)' ./cmd/billfold

stories: ## what the suite leaves out: long stories with whole processes in real time, attacks on a port with TLS, all pairs of policies
	STORIES=all $(GO) test -count=1 -timeout 20m ./cmd/billfold ./rpcserver ./keystore ./daemonclient ./tui ./tui/page/history

servers: ## 50,000 orders at two to four servers that share a PostgreSQL, while everything fails, then 50 failovers; SERVERS_SEED=… repeats, SERVERS_ORDERS=300 is short
	STORETEST_POSTGRES=must SERVERS_ORDERS=$(SERVERS_ORDERS) $(GO) test -count=1 -timeout 120m -v -run '^TestServers$$' ./cmd/billfold
	STORETEST_POSTGRES=must $(GO) test -count=1 -timeout 20m $(POSTGRES)
	STORETEST_POSTGRES=must $(GO) test -count=1 -timeout 20m -run 'Test(ASharedStore|AStore|AServer|AStandby)' ./cmd/billfold
	STORETEST_POSTGRES=must FAILOVERS=$(FAILOVERS) $(GO) test -count=1 -timeout 60m -v -run '^TestFailoverLosesNothing$$' ./walletcore/store

lies: ## a daemon tells every lie about every answer to every spend, then some 200 others, alone and in pairs, to 10,000 payments, reads and deposits; LIES_SEED=… repeats, LIES_ONLY=a,b tells these
	LIES_GENERATED=all $(GO) test -count=1 -timeout 60m -v -run '^Test(GeneratedLies|WhatWasAcceptedIsNotSignedOtherwise)$$' ./walletcore/walletapi
	LIES_OPERATIONS=$(LIES) $(GO) test -count=1 -timeout 60m -v -run '^TestLies$$' ./walletcore

dcorejs: ## a client written for DCore works with the sandbox; installs npm's dcorejs-lib into a temporary folder
	@folder=$$(mktemp -d) && cp sandbox/testdata/dcorejs/* $$folder/ && $(GO) build -o $$folder/billfold ./cmd/billfold && \
		(cd $$folder && npm install --no-audit --no-fund --ignore-scripts --loglevel=error && node session.js ./billfold); \
		status=$$?; rm -rf $$folder; exit $$status

ipfs: ## packages are published and fetched, and content is bought and restored, through a real IPFS daemon; installs npm's ipfs into a temporary folder, which takes minutes
	@command -v node npm > /dev/null || { echo "this needs Node.js (Debian: nodejs npm)"; exit 1; }
	@folder=$$(mktemp -d) && cp content/ipfs/testdata/daemon/* $$folder/ && \
		(cd $$folder && npm install --no-audit --no-fund --ignore-scripts --loglevel=error) && \
		IPFS_DAEMON=$$folder $(GO) test -count=1 -timeout 10m -v -run '^TestRealDaemon$$|^TestContentThroughARealDaemon$$' ./content/ipfs ./walletcore; \
		status=$$?; rm -rf $$folder; exit $$status

figures: ## Debian's prometheus scrapes a server under load: it takes the rules and the metrics, and each query of the dashboard has data
	FIGURES=must $(GO) test -count=1 -v -run '^TestPrometheusReadsTheFigures$$' ./cmd/billfold

clients: ## clients in Python, Java, PHP, Node and with curl call the wallet, each in its libraries' ways; CLIENTS=record writes what they send
	CLIENTS=$(or $(CLIENTS),run) $(GO) test -count=1 -v -run '^TestRealClients$$' ./rpcserver

walk: ## every operation under every pair of policies, by every kind of caller, over both transports
	STORIES=all WALK=all $(GO) test -count=1 -timeout 30m -run '^TestWalkOfOperationsPoliciesAndTokens$$' ./rpcserver

checklist: ## drives the program in tmux, line by line of the UI's check list, at 80×24 and 140×40; CHECKLIST=1,14 for some lines
	$(GO) run ./internal/checklist -only "$(CHECKLIST)"

properties: ## the sandbox's rules on many more random sequences than the everyday suite tries
	$(GO) test -count=1 -timeout 30m ./sandbox/chain -rapid.checks 500
	$(GO) test -count=1 -timeout 30m -run "^Test(Queries|RunOf)" ./walletcore/history -rapid.checks 500
	$(GO) test -count=1 -timeout 30m ./walletcore/finality -rapid.checks 2000
	INDEX_TRIALS=40 $(GO) test -count=1 -timeout 30m -run 'TestIndex' ./walletcore/history
	WALKS=200 $(GO) test -count=1 -timeout 30m -run '^TestNothingTypedIsLostOnTheWay$$' ./tui

load: ## signed transfers per second that the sandbox takes, next to the bare signatures, while 1,000 clients listen
	$(GO) test -run '^$$' -bench 'BenchmarkBroadcast|BenchmarkRecoverOnly' -benchtime 10000x ./sandbox
