//! What survives a restart.
