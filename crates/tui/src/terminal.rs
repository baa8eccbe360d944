//! The real terminal: set up, drawn on, read from, and restored, whatever happens.

use std::io::{self, Stdout, Write, stdout};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, MutexGuard, TryLockError};
use std::thread;
use std::time::{Duration, Instant};

use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{KeyCode, KeyEventKind, KeyModifiers};
use ratatui::crossterm::{cursor, event, execute, terminal};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};
use signal_hook::iterator::Signals;

use crate::screen::{App, Event, Settings, Start};
use crate::table::Refusal;

/// Set while the terminal is in our mode and has to be restored.
static TAKEN: AtomicBool = AtomicBool::new(false);

/// The lock for writing to the terminal. The handler of a panic in another thread must not write into a half-drawn
/// screen, and no drawing may follow it.
static WRITING: Mutex<()> = Mutex::new(());

/// The longest wait of a panic for a screen being drawn; a terminal that accepts no more bytes would block it
/// forever.
const HALF_A_PICTURE: Duration = Duration::from_secs(1);

/// The exit status after a panic, equal to Rust's own.
const FAILED: i32 = 101;

/// The reasons for which the screen could not start, or ended.
#[derive(Debug)]
pub enum Failure {
    /// The game, file or hall that was asked for is not there.
    Refused(Refusal),
    /// Reading from or writing to the terminal failed.
    Terminal(io::Error),
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Terminal(error)
    }
}

/// Shows the screen until the user quits.
///
/// # Errors
/// Fails when the requested game, file or hall is not available, or the terminal failed. The terminal is restored in
/// any case.
pub fn run(settings: Settings, start: Start) -> Result<(), Failure> {
    let (events, heard) = channel();
    // A hall that does not answer is told on a terminal that is still as it was.
    let mut app = App::new(settings, start, events.clone()).map_err(Failure::Refused)?;
    let given_back = Taken::take()?;
    listen(events)?;
    let shown = show(&mut app, &heard);
    drop(given_back);
    if let Some(farewell) = app.farewell() {
        // Fails if the standard error is closed.
        let _ = writeln!(io::stderr(), "{farewell}");
    }
    Ok(shown?)
}

fn show(app: &mut App, heard: &Receiver<Event>) -> io::Result<()> {
    // Never `clear`: it asks the terminal where its cursor is, and the thread that reads keys would read the answer.
    let mut screen = Terminal::new(CrosstermBackend::new(stdout()))?;
    while !app.is_over() {
        let now_ms = app.now_ms();
        draw(app, &mut screen, now_ms)?;
        let first = match app.quiet_ms(now_ms) {
            Some(quiet) => match heard.recv_timeout(Duration::from_millis(quiet.max(1))) {
                Ok(event) => Some(event),
                Err(RecvTimeoutError::Timeout) => None,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            },
            None => match heard.recv() {
                Ok(event) => Some(event),
                Err(_) => return Ok(()),
            },
        };
        // What has come meanwhile is drawn together.
        let mut stands_aside = false;
        for event in first.into_iter().chain(heard.try_iter()) {
            if is_suspend(&event) {
                stands_aside = true;
            } else {
                app.handle(event, app.now_ms());
            }
        }
        if stands_aside {
            suspend()?;
            // The shell has written on the terminal: everything is drawn again.
            screen = Terminal::new(CrosstermBackend::new(stdout()))?;
        }
        app.tick(app.now_ms());
    }
    Ok(())
}

fn draw(app: &mut App, screen: &mut Terminal<CrosstermBackend<Stdout>>, now_ms: u64) -> io::Result<()> {
    let _writing = WRITING.lock().unwrap_or_else(|broken| broken.into_inner());
    screen.draw(|frame| {
        if let Some(position) = app.draw(frame.buffer_mut(), now_ms) {
            frame.set_cursor_position(position);
        }
    })?;
    Ok(())
}

/// Takes the lock for a thread that does not draw; `None` if the drawing does not end.
fn stop_drawing() -> Option<MutexGuard<'static, ()>> {
    let until = Instant::now() + HALF_A_PICTURE;
    loop {
        match WRITING.try_lock() {
            Ok(writing) => return Some(writing),
            Err(TryLockError::Poisoned(broken)) => return Some(broken.into_inner()),
            Err(TryLockError::WouldBlock) if Instant::now() < until => {
                thread::sleep(Duration::from_millis(1))
            }
            Err(TryLockError::WouldBlock) => return None,
        }
    }
}

/// Returns true for Ctrl-Z, which a terminal in raw mode does not turn into a signal.
fn is_suspend(event: &Event) -> bool {
    match event {
        Event::Suspend => true,
        Event::Terminal(event::Event::Key(key)) => {
            key.kind != KeyEventKind::Release
                && key.code == KeyCode::Char('z')
                && key.modifiers.contains(KeyModifiers::CONTROL)
        }
        _ => false,
    }
}

/// Restores the terminal and suspends the program, until the user brings it to the foreground.
fn suspend() -> io::Result<()> {
    give_back();
    signal_hook::low_level::emulate_default_handler(SIGTSTP)?;
    ready()
}

/// Starts the threads that wait for keys and for signals to end.
fn listen(events: Sender<Event>) -> io::Result<()> {
    let mut signals = Signals::new([SIGTERM, SIGINT, SIGHUP, SIGTSTP])?;
    let stop = events.clone();
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        for signal in &mut signals {
            let event = if signal == SIGTSTP { Event::Suspend } else { Event::Stop };
            if stop.send(event).is_err() {
                return;
            }
        }
    })?;
    thread::Builder::new().name("keys".to_owned()).spawn(move || {
        while let Ok(event) = event::read() {
            if events.send(Event::Terminal(event)).is_err() {
                return;
            }
        }
        // The terminal went away.
        let _ = events.send(Event::Stop);
    })?;
    Ok(())
}

/// Switches the terminal to our mode.
fn ready() -> io::Result<()> {
    let _writing = WRITING.lock().unwrap_or_else(|broken| broken.into_inner());
    terminal::enable_raw_mode()?;
    TAKEN.store(true, Ordering::SeqCst);
    let paste = event::EnableBracketedPaste;
    execute!(stdout(), terminal::EnterAlternateScreen, event::EnableMouseCapture, paste)
}

/// The terminal in our mode; dropping it restores it.
struct Taken;

impl Taken {
    fn take() -> io::Result<Taken> {
        ready()?;
        let taken = Taken;
        let before = std::panic::take_hook();
        let drawing = thread::current().id();
        std::panic::set_hook(Box::new(move |panic| {
            let elsewhere = thread::current().id() != drawing;
            // Held until this program ends: nothing is drawn on a terminal that is given back.
            let _writing = if elsewhere { stop_drawing() } else { None };
            let taken = TAKEN.load(Ordering::SeqCst);
            give_back();
            before(panic);
            if taken && elsewhere {
                std::process::exit(FAILED);
            }
        }));
        Ok(taken)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        give_back();
    }
}

/// Restores the terminal; repeated calls have no effect.
fn give_back() {
    if TAKEN.swap(false, Ordering::SeqCst) {
        let mut out = stdout();
        let paste = event::DisableBracketedPaste;
        let _ =
            execute!(out, paste, event::DisableMouseCapture, terminal::LeaveAlternateScreen, cursor::Show);
        let _ = terminal::disable_raw_mode();
        let _ = out.flush();
    }
}
