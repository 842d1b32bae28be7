#!/usr/bin/env node
void require('../dist/cli/main').main(process.argv);
