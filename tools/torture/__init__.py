"""Random histories of projects, to try the promise that an update loses nothing."""
