"""`forge-mlir bug-report`: an archive that shows a failure again, without what is the user's."""

from forge_mlir.report.bug_report.archive import bug_report as bug_report
