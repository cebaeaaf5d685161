# colj: a PGXS extension.
#
#	make, make install, make installcheck		as for any extension
#	make demo [FILE=my.jsonl]					what it does, on a private server
#	make test									everything that must pass
#	make bench [NAME=...] [SCALE=...]			the benchmarks, or one of them
#	make fuzz SECONDS=..., make oracle SECONDS=...	longer campaigns
#	make test-majors							the other PostgreSQL majors
#	make test-cassert [SANITIZE=1]				a PostgreSQL with assertions
#	make format									lay out the C files
#
# demo and all below it install what they need (Debian packages), and start a
# private server from a temporary directory: they neither install colj into
# the system nor touch a cluster that is there.

PG_CONFIG ?= pg_config

all:

# These need no PostgreSQL to be there yet, so they must work without PGXS.
SCRIPTED = demo test bench fuzz oracle test-majors test-cassert format
.PHONY: $(SCRIPTED)

export PG_CONFIG
# bash counts the seconds in a variable of this name
unexport SECONDS

demo:
	@$(if $(filter command line,$(origin FILE)),\
		DEMO_FILE=$$(realpath -e -- "$$FILE") && export DEMO_FILE &&) \
		test/with-server --durable bench/demo

test:
	@test/run

bench:
	@bench/setup
	@test/with-server --durable bench/run $(if $(SCALE),--scale $(SCALE)) $(NAME)

fuzz:
	@test/setup fuzz
	@test/fuzz/run $(or $(SECONDS),600)

oracle:
	@test/with-server test/oracle/run $(or $(SECONDS),600)

test-majors:
	@test/majors

test-cassert:
	@test/cassert $(if $(SANITIZE),--sanitize)

format:
	@test/format --fix

ifneq ($(filter-out $(SCRIPTED),$(or $(MAKECMDGOALS),all)),)

EXTENSION = colj
EXTVERSION := $(shell sed -n "s/^default_version *= *'\(.*\)'/\1/p" colj.control)

SOURCES := $(sort $(wildcard src/*.c src/*/*.c))

MODULE_big = colj
OBJS = $(SOURCES:.c=.o)
SHLIB_LINK = -lzstd

install_script = sql/colj--$(EXTVERSION).sql
DATA_built = $(install_script)
DATA = $(sort $(wildcard sql/colj--*--*.sql))

REGRESS = $(sort $(filter-out colj--%,$(patsubst sql/%.sql,%,$(wildcard sql/*.sql))))
REGRESS_OPTS = --load-extension=colj --encoding=UTF8

EXTRA_CLEAN = $(OBJS:.o=.d) .build-config

PGXS := $(shell $(PG_CONFIG) --pgxs 2>/dev/null)
ifeq ($(wildcard $(PGXS)),)
$(error $(PG_CONFIG) knows no server headers: install postgresql-server-dev-NN, name another with PG_CONFIG=/path/to/pg_config, or run test/setup build)
endif

# Server headers count as the system's, so that warnings are about our code.
PG_CPPFLAGS = -isystem $(shell $(PG_CONFIG) --includedir-server) -Isrc
PG_CFLAGS = -Wall -Wextra

# Calls inside colj stay inside: faster, and other extensions' names can't
# get in between.
ifeq ($(shell uname -s),Linux)
PG_CFLAGS += -fno-semantic-interposition
SHLIB_LINK += -Wl,-Bsymbolic-functions
endif

# Bitcode for the JIT is made only where the tools that the server was built
# with are there; colj works without.
global := $(dir $(PGXS))../Makefile.global
bitcode_tools := $(or $(CLANG),$(shell sed -n 's/^CLANG *= *//p' $(global))) \
	$(shell sed -n 's/^LLVM_BINPATH *= *//p' $(global))/llvm-lto
ifneq ($(words $(shell command -v $(firstword $(bitcode_tools)); \
	command -v $(lastword $(bitcode_tools)))),2)
override with_llvm := no
endif

include $(PGXS)

$(install_script): sql/install $(sort $(wildcard sql/install/*.sql))
	@echo "concatenating $@"
	@{ printf '%s\n' '\echo Use "CREATE EXTENSION colj" to load this file. \quit'; \
	   cat $(filter %.sql,$^); } > $@

# PGXS follows no includes unless its server was built to, and then confuses
# files of one name in two folders.
%.o: %.c
	$(COMPILE.c) -MMD -MP -MF $*.d -MT $@ -MT $*.bc -o $@ $<

-include $(OBJS:.o=.d)

# Another server, compiler or set of flags means other objects.
build_config := $(shell $(PG_CONFIG) --version) $(CC) $(COPT) $(PROFILE)
.build-config: FORCE
	@echo '$(build_config)' | cmp -s - $@ || echo '$(build_config)' > $@

.PHONY: FORCE
FORCE:

$(OBJS) $(OBJS:.o=.bc): .build-config

endif
