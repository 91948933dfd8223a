module tree

go 1.26.0
