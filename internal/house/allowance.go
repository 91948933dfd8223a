package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// allowanceFile lists what may be over a limit, and why. Its counts may only shrink.
const allowanceFile = "internal/house/allowed.txt"

// allowance is the count that a place may have although it is over the limit of a rule.
type allowance struct {
	count  int
	reason string
}

// allowances are the allowances of all places, by "rule place".
type allowances map[string]allowance

func readAllowances(root string) (allowances, error) {
	file, err := os.Open(filepath.Join(root, allowanceFile))
	if errors.Is(err, fs.ErrNotExist) {
		return allowances{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	allowed := allowances{}
	for scanner := bufio.NewScanner(file); scanner.Scan(); {
		line := scanner.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		parts := strings.SplitN(line, " ", 4)
		if len(parts) < 4 {
			return nil, fmt.Errorf("%s: %q is not a rule, a place, a count and a reason", allowanceFile, line)
		}
		count, err := strconv.Atoi(parts[2])
		if err != nil {
			return nil, fmt.Errorf("%s: %q: %w", allowanceFile, line, err)
		}
		allowed[parts[0]+" "+parts[1]] = allowance{count, parts[3]}
	}
	return allowed, nil
}

func (a allowances) write(root string) error {
	var lines []string
	for key, may := range a {
		lines = append(lines, fmt.Sprintf("%s %d %s\n", key, may.count, may.reason))
	}
	slices.Sort(lines)
	head := "# What is over a measure of the house: rule, place, count, reason. Counts only shrink (make docs lowers them).\n"
	return os.WriteFile(filepath.Join(root, allowanceFile), []byte(head+strings.Join(lines, "")), 0o644)
}
