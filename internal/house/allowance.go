package main

import (
	"bufio"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// allowanceFile lists what is over a limit and not yet cut. Its counts may only shrink, and so may the list.
const allowanceFile = "internal/house/allowed.txt"

// allowances is how much of a rule a place may have above its limit, by "rule place".
type allowances map[string]int

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
		var rule, place string
		var count int
		line := scanner.Text()
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if _, err := fmt.Sscan(line, &rule, &place, &count); err != nil {
			return nil, fmt.Errorf("%s: %q is not a rule, a place and a count", allowanceFile, line)
		}
		allowed[rule+" "+place] = count
	}
	return allowed, nil
}

func (a allowances) write(root string) error {
	var lines []string
	for key, count := range a {
		lines = append(lines, fmt.Sprintf("%s %d\n", key, count))
	}
	slices.Sort(lines)
	head := "# What is over a measure of the house and not yet cut: rule, place, count. Counts only shrink (make docs lowers them).\n"
	return os.WriteFile(filepath.Join(root, allowanceFile), []byte(head+strings.Join(lines, "")), 0o644)
}
