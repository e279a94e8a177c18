package kotlin.coroutines;

/** Stands for Kotlin's interface of this name, which a {@code suspend fun} has as its last parameter when it is compiled. */
public interface Continuation<T> {}
