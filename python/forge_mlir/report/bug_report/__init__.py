"""`forge-mlir bug-report`: an archive that reproduces a failure without the user's data."""

from forge_mlir.report.bug_report.archive import bug_report as bug_report
