import ImporterCLI

ImporterProgram.main()
