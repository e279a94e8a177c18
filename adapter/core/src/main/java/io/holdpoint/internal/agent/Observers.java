package io.holdpoint.internal.agent;

import io.holdpoint.ErrorCode;
import io.holdpoint.RunResult;
import io.holdpoint.hook.ObservedWork;
import io.holdpoint.hook.ReaderStatus;
import io.holdpoint.hook.RunInfo;
import io.holdpoint.hook.RunObserver;
import io.holdpoint.internal.LogText;
import io.holdpoint.store.AuditEvent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All observers of an agent as one that never throws; without any, next to nothing is done. Thread-safe if they are. */
public final class Observers implements RunObserver {

    private static final Logger LOG = LoggerFactory.getLogger(Observers.class);

    private final List<RunObserver> all = new CopyOnWriteArrayList<>(); // guests add theirs when they join

    Observers copy() {
        Observers copy = new Observers();
        copy.all.addAll(all);
        return copy;
    }

    public boolean isEmpty() {
        return all.isEmpty();
    }

    public void add(RunObserver... others) {
        all.addAll(Arrays.asList(others));
    }

    @Override
    public ObservedWork started(ObservedWork.Run run) {
        return together(all, observer -> observer.started(run));
    }

    @Override
    public void started(RunInfo run) {
        if (!all.isEmpty()) {
            tell(all, observer -> observer.started(run));
        }
    }

    @Override
    public void ended(RunInfo run, RunResult result) {
        if (!all.isEmpty()) {
            tell(all, observer -> observer.ended(run, result));
        }
    }

    @Override
    public void asked(String toolName) {
        tell(all, observer -> observer.asked(toolName));
    }

    @Override
    public void decided(Decided what) {
        tell(all, observer -> observer.decided(what));
    }

    @Override
    public void stored(AuditEvent event) {
        if (!all.isEmpty()) {
            tell(all, observer -> observer.stored(event));
        }
    }

    @Override
    public void reader(ReaderStatus status) {
        tell(all, observer -> observer.reader(status));
    }

    private static <T> ObservedWork together(List<T> told, Function<T, ObservedWork> start) {
        return told.isEmpty() ? ObservedWork.NONE : new Together(get(told, start, ObservedWork.NONE));
    }

    private static <T> void tell(List<T> told, Consumer<T> what) {
        for (T each : told) {
            try {
                what.accept(each);
            } catch (Throwable e) { // not every language checks exceptions
                failed(e);
            }
        }
    }

    private static void failed(Throwable e) {
        LOG.warn("An observer failed", LogText.silent(e));
    }

    private static <T, R> List<R> get(List<T> told, Function<T, R> what, R otherwise) {
        List<R> all = new ArrayList<>(told.size());
        for (T each : told) {
            try {
                all.add(what.apply(each));
            } catch (Throwable e) { // not every language checks exceptions
                failed(e);
                all.add(otherwise);
            }
        }
        return all;
    }

    private record Together(List<ObservedWork> all) implements ObservedWork {

        @Override
        public ObservedWork started(Part part) {
            return together(all, work -> work.started(part));
        }

        @Override
        public Scope open() {
            List<Scope> open = Observers.<ObservedWork, Scope>get(all, ObservedWork::open, () -> {});
            return () -> {
                for (int last = open.size() - 1; last >= 0; last--) {
                    tell(open.subList(last, last + 1), Scope::close);
                }
            };
        }

        @Override
        public void ended(Ending how, Optional<ErrorCode> code) {
            tell(all, work -> work.ended(how, code));
        }
    }
}
