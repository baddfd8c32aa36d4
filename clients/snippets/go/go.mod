module snippets

go 1.21
