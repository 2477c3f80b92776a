"""What quotalint does not know, and why: values that travel from what finds them to the reports."""
