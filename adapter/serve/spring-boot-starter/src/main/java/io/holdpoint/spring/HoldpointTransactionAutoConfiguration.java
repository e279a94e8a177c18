package io.holdpoint.spring;

import io.holdpoint.hook.Interceptor;
import io.holdpoint.hook.ObservedWork;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.TransactionStatus;
import org.springframework.transaction.support.DefaultTransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/**
 * Keeps tools out of the transaction of whoever calls an agent, which works on the caller's thread: what a tool has done is stored when it
 * returns, and must not be rolled back afterwards.
 */
@AutoConfiguration(after = HoldpointAutoConfiguration.class)
@ConditionalOnClass(PlatformTransactionManager.class)
class HoldpointTransactionAutoConfiguration {

    private static final TransactionDefinition OUTSIDE =
            new DefaultTransactionDefinition(TransactionDefinition.PROPAGATION_NOT_SUPPORTED);

    @Bean
    Interceptor holdpointTransactionScope(ObjectProvider<PlatformTransactionManager> managers) {
        return Interceptor.ofTools(call -> TransactionSynchronizationManager.isActualTransactionActive()
                ? suspended(managers.stream().toList())
                : () -> {});
    }

    private static ObservedWork.Scope suspended(List<PlatformTransactionManager> managers) {
        Deque<Runnable> resumptions = new ArrayDeque<>();
        ObservedWork.Scope scope = () -> resumptions.forEach(Runnable::run);
        try {
            for (PlatformTransactionManager manager : managers) {
                TransactionStatus outside = manager.getTransaction(OUTSIDE);
                resumptions.push(() -> manager.commit(outside));
            }
        } catch (RuntimeException e) {
            scope.close();
            throw e;
        }
        return scope;
    }
}
